"""The bug hunt: a file in a folder of its own, what is seen of the bug, and the way back to the server."""

import json
import subprocess
import sys

import pytest

from tests.engine import papers
from tests.engine.conftest import Student
from tests.engine.school import School

MAIN = "hunt/mha-rope/1/cs336_basics/layers.py"


@pytest.fixture
def hunter(student: Student, school: School) -> Student:
    """Somebody who has passed."""
    school.hunt = papers.hunt()
    return student


def test_before_it_begins_the_server_says_when(student: Student):
    result = student.invoke("hunt", "mha-rope")
    assert result.exit_code == 3
    assert "begins when your file has passed" in result.stderr
    assert not (student.folder / "hunt").exists()


def test_it_writes_the_file_and_tells_what_is_seen_and_what_to_do(hunter: Student):
    result = hunter.invoke("hunt", "mha-rope")
    assert result.exit_code == 0
    assert (hunter.folder / MAIN).read_text() == papers.hunt()["source"]
    for text in ("Shifted by 5", "Fails: Token positions", "Works: Number of heads", "At most 10 lines"):
        assert text in result.stdout
    assert f"engine submit-fix {MAIN}" in result.stdout
    assert (hunter.folder / "cs336_basics/layers.py").read_bytes() == papers.ROPE_ON_V


def test_the_failing_case_runs_beside_the_file_and_not_beside_ones_own(hunter: Student):
    hunter.write("cs336_basics/__init__.py", b"")
    hunter.invoke("hunt", "mha-rope")
    done = subprocess.run(
        [sys.executable, "hunt/mha-rope/1/symptom.py"],
        cwd=hunter.folder,
        env={"PYTHONPATH": str(hunter.folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "True\n"


def test_what_was_changed_is_kept_unless_forced(hunter: Student):
    hunter.invoke("hunt", "mha-rope")
    hunter.write(MAIN, b"mine = 1\n")
    again = hunter.invoke("hunt", "mha-rope")
    assert again.exit_code == 0
    assert "are kept; --force" in again.stdout
    assert "Shifted by 5" in again.stdout
    assert (hunter.folder / MAIN).read_bytes() == b"mine = 1\n"
    assert hunter.invoke("hunt", "mha-rope", "--force").exit_code == 0
    assert (hunter.folder / MAIN).read_text() == papers.hunt()["source"]


def test_the_libraries_of_the_challenge_come_along(hunter: Student, school: School):
    school.libraries = {"smalltorch/tensor.py": "class Tensor: ...\n"}
    hunter.invoke("hunt", "mha-rope")
    assert (hunter.folder / "hunt/mha-rope/1/smalltorch/tensor.py").exists()


@pytest.mark.parametrize("path", ["../layers.py", "/tmp/layers.py", "a/../../b.py", ".bashrc"])
def test_a_server_cannot_write_outside_the_folder(hunter: Student, school: School, path: str):
    school.hunt = papers.hunt() | {"default_path": path}
    assert hunter.invoke("hunt", "mha-rope").exit_code == 3
    assert not (hunter.folder / "hunt").exists()


def test_a_mended_file_is_solved_the_cause_is_told_and_another_one_comes(hunter: Student, school: School):
    hunter.invoke("hunt", "mha-rope")
    hunter.write(MAIN, papers.RIGHT)
    result = hunter.invoke("submit-fix")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("✓ Solved.\n  You found it.")
    assert "Points" not in result.stdout
    assert school.received[0]["source"] == papers.RIGHT
    assert school.received[0]["siblings"] == {}
    told = hunter.invoke("hunt", "mha-rope").stdout
    assert "Solved with 2 tries" in told
    assert "RoPE is applied to V." in told
    assert "engine hunt mha-rope --next" in told
    assert hunter.invoke("hunt", "mha-rope", "--next").exit_code == 0
    assert (hunter.folder / "hunt/mha-rope/2/cs336_basics/layers.py").read_text().startswith("# solution 2")
    assert hunter.invoke("hunt", "mha-rope", "--next").exit_code == 3
    hunter.invoke("submit-fix")
    assert school.received[1]["source"].startswith(b"# solution 2")
    assert "solved" in hunter.invoke("history").stdout


def test_what_still_fails_is_told_by_family_and_ends_with_one(hunter: Student):
    hunter.invoke("hunt", "mha-rope")
    result = hunter.invoke("submit-fix", MAIN)
    assert result.exit_code == 1
    assert result.stdout.startswith("✗ Not solved yet.\n  The bug is still at large.")
    assert "engine hunt mha-rope" in result.stdout
    assert "submit-build" not in result.stdout
    again = hunter.invoke("status")
    assert again.exit_code == 1
    assert again.stdout == result.stdout


def test_a_right_rewrite_does_not_end_with_zero(hunter: Student):
    hunter.write("other.py", papers.RIGHT + b"# REWRITE\n")
    result = hunter.invoke("submit-fix", "other.py", "--challenge", "mha-rope")
    assert result.exit_code == 1
    assert "Right, but a rewrite." in result.stdout
    assert "rewrite" in hunter.invoke("history").stdout


def test_programs_get_the_report_alone(hunter: Student):
    hunter.invoke("hunt", "mha-rope")
    hunter.write(MAIN, papers.RIGHT)
    result = hunter.invoke("submit-fix", "--format", "json")
    assert json.loads(result.stdout)["verdict"] == "passed"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("submit-fix",), "engine hunt SLUG"),
        (("submit-fix", "cs336_basics/layers.py"), "is not a bug hunt file"),
        (("submit-fix", "--challenge", "mha-rope"), "Get the file with engine hunt mha-rope"),
        (("submit-fix", "--no-wait", "--format", "json"), "no report to print yet"),
        (("hunt", "attention-2"), "attention-2 is not a challenge here"),
        (("hunt", "../.."), "is not a valid name for a challenge"),
    ],
)
def test_wrong_usage_is_told_in_a_sentence(hunter: Student, words: tuple[str, ...], told: str):
    result = hunter.invoke(*words)
    assert result.exit_code == 2
    assert told in result.stderr
