"""A file that is sent again as it was: where attempts are limited, nobody spends one on it without knowing."""

import pytest

from tests.engine import papers
from tests.engine.conftest import Student
from tests.engine.school import School
from tests.engine.test_check import ASKS, GRADABLE
from tests.engine.test_standing import SCORE, asked
from tests.engine.test_watch import WRONG, screens

PROMPT = "[y/N]: "
TOLD = "cs336_basics/layers.py has not changed since attempt 1. Submitting it again uses one of your 2 attempts left."


@pytest.fixture
def limited(student: Student, school: School) -> Student:
    """Who has sent the file once, and has two attempts left."""
    school.score, school.me = SCORE, {"assignments": [asked(attempts_max=3, attempts_left=2)]}
    assert TOLD not in student.run("submit-build").stderr
    return student


def test_whoever_is_there_is_asked_and_keeps_the_attempt(limited: Student, school: School):
    told = limited.converse("submit-build", typed=("\n",), prompt=PROMPT, NO_COLOR="1")
    assert TOLD in " ".join(told.text.split())
    assert f"Nothing was sent. The result of attempt 1: engine status {next(iter(school.submissions))}" in told.text
    assert (told.exit_code, len(school.received)) == (1, 1)


def test_who_says_yes_submits_it(limited: Student, school: School):
    school.locked = "Later."
    told = limited.converse("submit-build", typed=("y\n",), prompt=PROMPT, NO_COLOR="1")
    assert (told.exit_code, len(school.received)) == (1, 2)


def test_a_script_is_told_and_goes_on_as_ever(limited: Student, school: School):
    for number, words in enumerate(([], ["--no-wait"], ["--json"]), 1):
        result = limited.run("submit-build", *words)
        assert f"has not changed since attempt {number}." in " ".join(result.stderr.split())
        assert "has not changed" not in result.stdout
    assert len(school.received) == 4


def test_forced_it_is_submitted_without_a_word(limited: Student, school: School):
    assert TOLD not in limited.run("submit-build", "--force").stderr
    assert len(school.received) == 2


@pytest.mark.parametrize(
    ("attempts", "address"),
    [
        ({"attempts_max": None, "attempts_left": None}, "attention"),  # nothing is lost
        ({"attempts_max": 3, "attempts_left": 0}, "attention"),  # the server says so itself
        ({"attempts_max": 3, "attempts_left": 2}, "another"),  # it was sent for something else
    ],
)
def test_nothing_is_said_where_no_attempt_is_spent_on_the_same(
    limited: Student, school: School, attempts: dict[str, int | None], address: str
):
    school.me = {"assignments": [asked(address, **attempts)]}
    assert "has not changed" not in limited.run("submit-build").stderr


def test_a_changed_file_and_a_changed_module_are_new(limited: Student):
    limited.write("cs336_basics/layers.py", b"from cs336_basics.more import A\n" + papers.RIGHT)
    for source in (b"A = 1\n", b"A = 2\n"):
        limited.write("cs336_basics/more.py", source)
        assert "has not changed" not in limited.run("submit-build").stderr


def test_the_last_attempt_is_called_that(limited: Student, school: School):
    school.me = {"assignments": [asked(attempts_max=3, attempts_left=1)]}
    assert "Submitting it again uses your last attempt." in limited.run("submit-build").stderr


def test_a_watched_file_is_submitted_again_when_enter_is_pressed_twice(student: Student, school: School):
    school.asks, school.score = ASKS, SCORE
    school.me = {"assignments": [asked(attempts_max=5, attempts_left=2)]}
    file = student.write("mine.py", WRONG)
    _, failed, refused, again, mended, passed, *_ = screens(
        student, "\n", "\n", "\n", lambda: file.write_bytes(GRADABLE), "\n", "q"
    )
    assert "has not changed" not in failed
    assert "mine.py has not changed since attempt 1." in " ".join(refused.split())
    assert "Press Enter again to submit it." in " ".join(refused.split())
    assert "Attempt 2" in again
    assert "has not changed" not in mended
    assert "Passed" in passed
    assert len(school.received) == 3
