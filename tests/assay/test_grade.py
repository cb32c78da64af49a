"""`assay grade`: what is on stdout, what the exit code means."""

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.failures import number
from grader.report import Report, Verdict
from tests.assay.conftest import Assay, run_assay
from tests.patience import PATIENCE_S, wait_until
from tests.processes import descendants


@dataclass(frozen=True)
class Run:
    """One `assay grade --format json` over several files, for several tests."""

    done: "subprocess.CompletedProcess[str]"

    def verdict(self, index: int) -> str:
        return str(json.loads(self.done.stdout.splitlines()[index])["verdict"])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, examples: Path) -> Run:
    folder = tmp_path_factory.mktemp("grade")
    right = (examples / "correct.py").read_text()
    noisy = folder / "noisy.py"
    noisy.write_text('import os\nprint("forged")\nos.write(1, b"forged")\n' + right)
    package = folder / "cs336_basics"
    package.mkdir()
    (package / "parts.py").write_text(right)
    (package / "broken.py").write_text("this is not Python, and nobody imports it")
    names = "multihead_self_attention_with_rope, rope, scaled_dot_product_attention"
    (package / "layers.py").write_text(f"from cs336_basics.parts import {names}\n")
    binary = folder / "binary.py"
    binary.write_bytes(b"def \xff")
    files = [examples / "rope_on_v.py", examples / "correct.py", noisy, package / "layers.py", binary]
    options = ["--challenge", "mha-rope", "--format", "json", "--seed", "7", "--jobs", "2"]
    return Run(run_assay(folder, "grade", *files, *options))


def test_json_is_one_report_a_line_in_the_order_given_and_nothing_else(run: Run) -> None:
    reports = [Report.model_validate_json(line) for line in run.done.stdout.splitlines()]
    assert len(reports) == 5
    assert [report.verdict for report in reports[:2]] == [Verdict.FAILED, Verdict.PASSED]
    assert "rope-on-v" in {diagnosis.id for diagnosis in reports[0].diagnoses}
    assert {report.seed for report in reports} == {7}
    assert run.done.stderr == ""


def test_what_a_mistake_that_is_tried_makes_torch_warn_of_is_not_told(tmp_path: Path) -> None:
    """Such a line named a file like the student's and a line of it."""
    half = "def rmsnorm(x, weight, eps=1e-5):\n    return x * weight / x.pow(2).mean(-1, keepdim=True).sqrt() / 2\n"
    (tmp_path / "layers.py").write_text(half)
    done = run_assay(tmp_path, "grade", "layers.py", "--challenge", "rmsnorm", "--seed", "271050046066804")
    assert "failed" in done.stdout
    assert done.stderr == ""


def test_readme_and_docs_show_what_the_example_gets(run: Run, examples: Path) -> None:
    """Numbers in a transcript go stale with each new case: here somebody notices."""
    report = Report.model_validate_json(run.done.stdout.splitlines()[0])
    evidence = next(diagnosis.evidence for diagnosis in report.diagnoses if diagnosis.id == "rope-on-v")
    for page in ("README.md", "docs/engine.md"):
        shown = " ".join((examples.parent / page).read_text().split())
        assert f"Not passed yet: {number(report.score)} of {number(report.max_score)} points." in shown
        assert f"Evidence: {evidence}" in shown


def test_reports_follow_the_published_schema(run: Run, examples: Path) -> None:
    import jsonschema  # noqa: PLC0415 - it builds parsers for a second, and most processes need none

    schema = json.loads((examples.parent / "docs" / "report.schema.json").read_text())
    for line in run.done.stdout.splitlines():
        jsonschema.validate(json.loads(line), schema)


def test_a_submission_that_prints_cannot_reach_stdout(run: Run) -> None:
    assert "forged" not in run.done.stdout
    assert run.verdict(2) == "passed"


def test_modules_of_the_same_package_go_along(run: Run) -> None:
    assert run.verdict(3) == "passed"


def test_the_exit_code_is_0_whatever_the_verdict(run: Run) -> None:
    assert run.verdict(0) == "failed"
    assert run.verdict(4) == "rejected"
    assert run.done.returncode == 0


def test_text_says_the_verdict_and_the_cause(assay: Assay, examples: Path) -> None:
    done = assay("grade", examples / "rope_on_v.py", "--challenge", "mha-rope")
    assert "FAILED" in done.stdout
    assert "rope-on-v" in done.stdout


def test_a_notebook_is_graded_by_what_it_defines_and_told_by_its_cells(
    assay: Assay, examples: Path, tmp_path: Path
) -> None:
    right = (examples / "correct.py").read_text()
    wrong = (examples / "rope_on_v.py").read_text()
    tried = "!nvidia-smi\nimport pandas\nwhile True:\n    pandas.plot(rope)"
    for name, source in {"right": right, "wrong": wrong}.items():
        cells = [{"cell_type": "code", "source": text} for text in ("%pip install torch", source, tried)]
        (tmp_path / f"{name}.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    done = assay("grade", "right.ipynb", "wrong.ipynb", "--challenge", "mha-rope", "--format", "json")
    reports = [Report.model_validate_json(line) for line in done.stdout.splitlines()]
    assert [report.verdict for report in reports] == [Verdict.PASSED, Verdict.FAILED], done.stderr
    found = next(diagnosis for diagnosis in reports[1].diagnoses if diagnosis.id == "rope-on-v")
    assert found.file == "cell 2"
    assert "rope(" in wrong.splitlines()[(found.line or 0) - 1]


def test_what_is_no_notebook_is_told_in_a_sentence(assay: Assay, tmp_path: Path) -> None:
    (tmp_path / "work.ipynb").write_text("x = 1")
    done = assay("grade", tmp_path / "work.ipynb", "--challenge", "mha-rope")
    assert done.returncode == 2
    assert "it is not JSON" in done.stderr


def test_junit_has_a_suite_for_each_file(assay: Assay, examples: Path, starter: Path) -> None:
    done = assay("grade", examples / "correct.py", starter, "--challenge", "mha-rope", "--format", "junit")
    suites = ElementTree.fromstring(done.stdout).findall("testsuite")
    failures = [int(suite.get("failures", "")) + int(suite.get("errors", "")) for suite in suites]
    assert failures[0] == 0
    assert failures[1] > 0


def test_gradescope_results_have_its_words(assay: Assay, examples: Path) -> None:
    done = assay("grade", examples / "rope_on_v.py", "--challenge", "mha-rope", "--format", "gradescope")
    results = json.loads(done.stdout)
    assert 0 < results["score"] < 100
    assert "values" in results["output"]
    assert {test["visibility"] for test in results["tests"]} <= {
        "visible",
        "hidden",
        "after_due_date",
        "after_published",
    }


def test_wrong_usage_is_2_with_a_sentence(assay: Assay, tmp_path: Path, examples: Path) -> None:
    good = examples / "correct.py"
    for arguments, told in (
        ([tmp_path / "nothing.py", "--challenge", "mha-rope"], "does not exist"),
        ([tmp_path, "--challenge", "mha-rope"], "is a folder"),
        ([good, "--challenge", "mha-rop"], "There is: mha-functional, "),
        ([good, "--challenge", "mha-rope", "--device", "cuda"], "--device cpu"),
        ([good, good, "--challenge", "mha-rope", "--format", "gradescope"], "Give one file"),
        ([good], "--challenge"),
    ):
        done = assay("grade", *arguments)
        assert done.returncode == 2
        assert told in done.stderr
        assert done.stdout == ""
        assert "Traceback" not in done.stderr


def test_long_names_spaces_and_a_missing_home_are_no_obstacle(tmp_path: Path, examples: Path) -> None:
    """The runner's socket lies in the folder for temporary files, and the kernel takes 107 bytes of a socket's path."""
    folder = tmp_path / "with space" / ("long" * 30)
    folder.mkdir(parents=True)
    elsewhere = {"TMPDIR": str(folder), "HOME": "/proc/nowhere"}
    done = run_assay(tmp_path, "grade", "--challenge", "mha-rope", examples / "correct.py", **elsewhere)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(folder.iterdir()) == []


def test_a_signal_ends_the_judges_too(tmp_path: Path, examples: Path) -> None:
    command = [sys.executable, "-P", "-m", "assay", "grade", "--challenge", "mha-rope", "--jobs", "2"]
    files = [examples / "correct.py"] * 40
    with subprocess.Popen([*command, *files], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as grading:
        assert grading.stdout is not None
        grading.stdout.readline()  # some file is graded: everything has started
        started = descendants(grading.pid)
        grading.terminate()
        assert grading.wait(PATIENCE_S) == 128 + signal.SIGTERM
    assert len(started) >= 3  # two judges and a runner
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started))
