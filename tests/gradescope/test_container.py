"""The autograder for real, in a container laid out as Gradescope's: `make test-gradescope` runs it.

Docker's default profile, root, no network. What is not theirs: Debian in the place of Ubuntu.
"""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.assay.conftest import ROOT
from tests.gradescope import results
from tests.patience import PATIENCE_S
from tests.worker.backends import GRADESCOPE_IMAGE, GRADESCOPE_IS_ASKED_FOR

RIGHT = (ROOT / "examples" / "correct.py").read_text()
# What it finds it writes into its answer: everything that it prints or raises stays outside of what students read.
HOSTILE = """
import os
found = []
for path in ("/autograder", "/autograder/source/code", "/autograder/results", "/opt/assay", "/proc", "/etc", "/root"):
    try:
        found.append((path, os.listdir(path)))
    except OSError:
        pass
for path in ("/autograder/results/results.json", "/autograder/results/results.part", "/results.json"):
    try:
        open(path, "w").write('{"score": 100}')
        found.append(path)
    except OSError:
        pass
for action in (os.fork, lambda: os.setuid(0), lambda: __import__("socket").socket(), lambda: os.kill(1, 9)):
    try:
        found.append(action())
    except OSError:
        pass
raise RuntimeError(f"found {found}")
"""

if not GRADESCOPE_IS_ASKED_FOR:
    pytest.skip("NOT RUN: `make test-gradescope` runs it", allow_module_level=True)


@dataclass(frozen=True)
class Run:
    folder: Path

    def submit(self, *, options: tuple[str, ...] = (), **files: str) -> "subprocess.CompletedProcess[str]":
        for folder in ("submission", "results"):
            (self.folder / folder).mkdir()
        for name, text in files.items():
            (self.folder / "submission" / f"{name}.py").write_text(text)
        mounted = [f"--volume={self.folder / name}:/autograder/{name}" for name in ("submission", "results")]
        command = ["docker", "run", "--rm", "--network=none", *mounted, *options, GRADESCOPE_IMAGE]
        return subprocess.run(
            [*command, "/autograder/run_autograder"], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )

    def results(self) -> dict[str, Any]:
        return results.read(self.folder / "results" / "results.json")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def test_a_right_file_gets_all_points(run: Run) -> None:
    done = run.submit(layers=RIGHT)
    assert done.returncode == 0, done.stderr
    assert run.results()["score"] == 100.0


def test_a_wrong_file_gets_some_and_its_mistake(run: Run) -> None:
    run.submit(layers=(ROOT / "examples" / "rope_on_v.py").read_text())
    told = run.results()
    assert 0 < told["score"] < 100
    assert "RoPE is applied to the values too" in told["output"]


def test_a_missing_file_gets_none_and_a_sentence(run: Run) -> None:
    assert run.submit(main=RIGHT).returncode == 0
    assert run.results()["output"].startswith("layers.py was not found in what was submitted (main.py)")


def test_a_hostile_file_finds_nothing_and_gets_nothing(run: Run) -> None:
    done = run.submit(layers=HOSTILE + RIGHT)
    assert done.returncode == 0, done.stderr
    told = run.results()
    assert told["score"] < 50  # what is read of the source alone
    assert "found []" in told["output"]


def test_without_the_isolation_it_relies_on_nothing_is_graded(run: Run) -> None:
    """A container that may not change roots: a fault of ours, and no score."""
    done = run.submit(options=("--cap-drop=SYS_CHROOT",), layers=RIGHT)
    assert done.returncode == 1
    assert "Assay itself failed" in done.stderr
    assert [*(run.folder / "results").iterdir()] == []


def test_no_sandbox_but_its_own_starts_there(run: Run) -> None:
    """Why there is a level of its own: with Docker's profile no namespace can be made."""
    code = "/autograder/source/code"
    grade = ["/opt/assay/bin/python", "-P", "-m", "assay", "grade", "--challenge=mha-rope"]
    docker = ["docker", "run", "--rm", "--network=none", f"--env=PYTHONPATH={code}", GRADESCOPE_IMAGE]
    command = [*docker, *grade, f"{code}/challenges/mha-rope/starter/layers.py"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 3
    assert "Nothing was graded" in done.stderr
