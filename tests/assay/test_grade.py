"""`assay grade`: what is on stdout, what the exit code means."""

import json
from pathlib import Path
from xml.etree import ElementTree

import jsonschema

from grader.report import Report, Verdict
from tests.assay.conftest import Assay


def test_json_is_one_report_a_line_in_the_order_given_and_nothing_else(assay: Assay, examples: Path) -> None:
    files = [examples / "rope_on_v.py", examples / "correct.py"]
    done = assay("grade", *files, "--challenge", "mha-rope", "--format", "json", "--seed", "7", "--jobs", "2")
    reports = [Report.model_validate_json(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [report.verdict for report in reports] == [Verdict.FAILED, Verdict.PASSED]
    assert [report.seed for report in reports] == [7, 7]
    assert "rope-on-v" in {diagnosis.id for diagnosis in reports[0].diagnoses}
    assert done.stderr == ""


def test_reports_follow_the_published_schema(assay: Assay, examples: Path, starter: Path) -> None:
    schema = json.loads((examples.parent / "docs" / "report.schema.json").read_text())
    done = assay("grade", examples / "correct.py", starter, "--challenge", "mha-rope", "--format", "json")
    for line in done.stdout.splitlines():
        jsonschema.validate(json.loads(line), schema)


def test_a_submission_that_prints_cannot_reach_stdout(assay: Assay, tmp_path: Path, examples: Path) -> None:
    noisy = tmp_path / "noisy.py"
    noisy.write_text('import os\nprint("forged")\nos.write(1, b"forged")\n' + (examples / "correct.py").read_text())
    done = assay("grade", noisy, "--challenge", "mha-rope", "--format", "json")
    assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["passed"]


def test_the_exit_code_is_0_whatever_the_verdict(assay: Assay, tmp_path: Path, starter: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_bytes(b"def \xff")
    done = assay("grade", broken, starter, "--challenge", "mha-rope")
    assert done.returncode == 0
    assert "REJECTED" in done.stdout
    assert "FAILED" in done.stdout


def test_modules_of_the_same_package_go_along(assay: Assay, tmp_path: Path, examples: Path) -> None:
    package = tmp_path / "cs336_basics"
    package.mkdir()
    (package / "parts.py").write_text((examples / "correct.py").read_text())
    (package / "broken.py").write_text("this is not Python, and nobody imports it")
    (package / "layers.py").write_text(
        "from cs336_basics.parts import multihead_self_attention_with_rope, rope, scaled_dot_product_attention\n"
    )
    done = assay("grade", package / "layers.py", "--challenge", "mha-rope")
    assert "PASSED" in done.stdout


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
        ([good, "--challenge", "mha-rop"], "There is: mha-rope"),
        ([good, "--challenge", "mha-rope", "--device", "cuda"], "--device cpu"),
        ([good, good, "--challenge", "mha-rope", "--format", "gradescope"], "Name one file"),
        ([good], "--challenge"),
    ):
        done = assay("grade", *arguments)
        assert done.returncode == 2
        assert told in done.stderr
        assert done.stdout == ""
        assert "Traceback" not in done.stderr
