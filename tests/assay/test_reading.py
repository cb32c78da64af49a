"""What a front end will read of a commit is read first where it can hold up nobody."""

import shutil
from pathlib import Path

import pytest

from assay.exercises.reading import refuse_unreadable
from grader.challenge import DEFAULT_ROOT
from grader.repository_addresses import RepositoryError

QUESTION = """
[[questions]]
id = "{id}"
kind = "number"
points = 1
prompt = "{prompt}"
params.a = {{ min = 1, max = {most} }}
params.b = {{ min = 1, max = 9999 }}
require = "a == b"
answer = "a"
tolerance.absolute = 0.5
nudge = "No."
explanation = "Yes."
"""


@pytest.fixture
def exercises(tmp_path: Path) -> Path:
    shutil.copytree(DEFAULT_ROOT / "rmsnorm", tmp_path / "rmsnorm")
    return tmp_path


def ask(exercises: Path, *questions: str) -> None:
    (exercises / "rmsnorm" / "questions.toml").write_text("".join(questions))


def test_usual_exercises_are_read() -> None:
    refuse_unreadable(DEFAULT_ROOT)


def test_a_hunt_in_no_encoding_is_told(exercises: Path) -> None:
    (exercises / "rmsnorm" / "hunt").mkdir()
    (exercises / "rmsnorm" / "hunt" / "plain.py").write_bytes(b"\xff")
    with pytest.raises(RepositoryError, match=r"^rmsnorm: it cannot be read: UnicodeDecodeError"):
        refuse_unreadable(exercises)


def test_questions_that_are_drawn_for_minutes_are_refused(exercises: Path) -> None:
    slow = QUESTION.replace("a == b", f"a + {'0 * a + ' * 50} 0 <= 1")
    ask(exercises, *(slow.format(id=f"q{number}", prompt="?", most=50) for number in range(150)))
    with pytest.raises(RepositoryError, match=r"^rmsnorm: its texts, questions or hunt take too long"):
        refuse_unreadable(exercises, cpu_s=5)


@pytest.mark.parametrize(
    ("prompt", "most", "sentence"),
    [
        ("{{a:999999999}}", 9, "asks for more than 100 characters"),
        ("?", 10**15, "are more than 10000 values: give a larger step"),
    ],
)
def test_a_number_that_fills_memory_is_told_with_its_line(
    exercises: Path, prompt: str, most: int, sentence: str
) -> None:
    ask(exercises, QUESTION.format(id="large", prompt=prompt.format(), most=most).replace("a == b", "a > 0"))
    with pytest.raises(RepositoryError, match=rf"^rmsnorm: rmsnorm/questions\.toml, line \d+: .*{sentence}"):
        refuse_unreadable(exercises)
