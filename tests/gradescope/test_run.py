"""What run_autograder does, with the code out of the zip and a folder in the place of /autograder."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.assay.conftest import ROOT, invoke_assay
from tests.gradescope import results
from tests.patience import PATIENCE_S

EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("autograder")
    invoke_assay(folder, "export", "autograder", "mha-rope", "--output", "autograder.zip")
    with zipfile.ZipFile(folder / "autograder.zip") as opened:
        opened.extractall(folder / "source")
    return folder / "source"


@pytest.fixture
def autograder(tmp_path: Path) -> Path:
    (tmp_path / "submission").mkdir()
    return tmp_path


def run(autograder: Path, source: Path) -> "subprocess.CompletedProcess[str]":
    """This machine has namespaces, so the submission is confined as ever."""
    command = [sys.executable, "-P", "-m", "assay.gradescope.run", autograder, "--challenge", "mha-rope"]
    told = {"PATH": os.environ["PATH"], "PYTHONPATH": str(source / "code"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, env=told, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_a_right_file_gets_all_points_with_nothing_but_what_is_in_the_zip(autograder: Path, source: Path) -> None:
    shutil.copy(EXAMPLES / "correct.py", autograder / "submission" / "layers.py")
    done = run(autograder, source)
    assert done.returncode == 0, done.stderr
    told = results.read(autograder / "results" / "results.json")
    assert told["score"] == 100.0
    assert told["output_format"] == "text"
    assert sum(test.get("max_score", 0) for test in told["tests"]) == pytest.approx(100.0)


def test_a_missing_file_gets_none_and_a_sentence(autograder: Path, source: Path) -> None:
    assert run(autograder, source).returncode == 0
    told = results.read(autograder / "results" / "results.json")
    assert (told["score"], told["tests"]) == (0.0, [])
    assert told["output"].startswith("layers.py was not found")


def test_a_fault_of_ours_leaves_no_result_and_says_so(autograder: Path, source: Path, tmp_path: Path) -> None:
    """Nor that of a run before it."""
    broken = tmp_path / "source"
    shutil.copytree(source, broken)
    (broken / "code" / "challenges" / "mha-rope" / "reference.py").write_text("raise RuntimeError('ours')\n")
    shutil.copy(EXAMPLES / "correct.py", autograder / "submission" / "layers.py")
    (autograder / "results").mkdir()
    (autograder / "results" / "results.json").write_text('{"score": 100}')
    done = run(autograder, broken)
    assert done.returncode == 1
    assert "Assay itself failed" in done.stderr
    assert [*(autograder / "results").iterdir()] == []
