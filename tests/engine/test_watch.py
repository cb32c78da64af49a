"""`engine watch`: a check on every save, a submission on Enter, and how it stands on one screen."""

import json
from collections.abc import Callable

import pytest

from engine.since_last_attempt import since
from grader.report import Breakdown, Report
from tests.engine import papers
from tests.engine.conftest import Student
from tests.engine.school import School
from tests.engine.test_check import ASKS, GRADABLE
from tests.engine.test_standing import asked

PROMPT = "q quits. "
WRONG = GRADABLE.replace(b"RIGHT", b"ROPE_ON_V")


def _notebook(code: str) -> bytes:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": code}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}).encode()


def screens(student: Student, *typed: str | Callable[[], object], file: str = "mine.py") -> list[str]:
    """What is on the screen at each prompt."""
    told = student.converse("watch", file, typed=typed, prompt=PROMPT, NO_COLOR="1")
    assert told.exit_code == 0, told.text
    return told.text.replace("\r\n", "\n").split(PROMPT)


def test_a_file_is_checked_when_it_is_saved_and_sent_with_one_key(student: Student, school: School):
    school.asks, school.me = ASKS, {"assignments": [asked(attempts_max=5, attempts_left=2)]}
    file = student.write("mine.py", b"def rope(x)\n    return x\n")
    first, saved, failed, mended, passed, *_ = screens(
        student, lambda: file.write_bytes(WRONG), "\n", lambda: file.write_bytes(GRADABLE), "\n", "q"
    )
    assert "2 of 5 attempts left" in first
    assert "mine.py is not valid Python, line 1" in first
    assert "This file can be graded." in saved
    assert "Not passed yet: 37.5 of 100 points." in failed
    assert "mine.py:6" in failed.partition("RoPE is also applied to the values.")[2], "the idea's line, below it"
    assert "Attempt 1" in mended
    assert "Passed: 100 of 100 points." in passed
    assert "Gone: RoPE is applied to V" in passed
    assert len(school.received) == 2


def test_what_cannot_be_graded_is_not_sent(student: Student, school: School):
    school.asks = ASKS
    student.write("mine.py", b"def rope(x)\n")
    assert "not valid Python" in screens(student, "\n", "q")[1]
    assert not school.received


def test_a_notebook_is_checked_when_it_is_saved(student: Student, school: School):
    school.asks = ASKS
    file = student.write("mine.ipynb", _notebook("def rope(x)"))
    before, after, *_ = screens(student, lambda: file.write_bytes(_notebook(GRADABLE.decode())), "q", file="mine.ipynb")
    assert "not valid Python" in before
    assert "This file can be graded." in after


def test_it_begins_with_the_last_attempt(student: Student):
    student.write("mine.py", WRONG)
    student.run("submit-build", "mine.py")
    begun = screens(student, "q")[0]
    assert "Attempt 1" in begun
    assert f"{len(papers.QUESTIONS)} questions to think about: engine answer" in begun


def test_questions_that_are_locked_are_not_counted(student: Student, school: School):
    school.locked = "The questions open once one of your submissions has passed."
    student.write("mine.py", WRONG)
    assert "to think about" not in screens(student, "\n", "q")[1]


def test_enter_pressed_twice_is_one_submission(student: Student, school: School):
    student.write("mine.py", WRONG)
    student.converse("watch", "mine.py", typed=["\n\n\nq"], prompt=PROMPT, NO_COLOR="1")
    assert len(school.received) == 1


def test_a_server_that_says_no_ends_nothing(student: Student):
    file = student.write("mine.py", b"TEAPOT")
    refused, sent, *_ = screens(student, "\n", lambda: file.write_bytes(WRONG), "q")[1:]
    assert "It ended" in refused
    assert "can be graded" in sent


def test_the_end_of_the_input_ends_it(student: Student):
    student.write("mine.py", WRONG)
    assert len(screens(student, "\x04")) == 2


def test_without_a_terminal_it_says_what_to_do(student: Student):
    student.write("mine.py", WRONG)
    result = student.run("watch", "mine.py")
    assert result.returncode == 2
    assert "engine submit-build" in result.stderr


def report(**more: object) -> Report:
    return papers.report_for(papers.ROPE_ON_V, "mine.py").model_copy(update=more)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (report(), report(), ["The same as before: RoPE is applied to V."]),
        (report(), papers.report_for(papers.RIGHT, "mine.py"), ["Gone: RoPE is applied to V."]),
        (
            report(breakdown=Breakdown(message="Line 3 raises NameError.", meaning="", tests=()), diagnoses=()),
            report(),
            ["Gone: Line 3 raises NameError.", "New: RoPE is applied to V."],
        ),
        (
            report(),
            report(
                breakdown=Breakdown(message="Line 3 raises NameError. Did you mean: 'x'?", meaning="", tests=()),
                diagnoses=(),
            ),
            ["New: Line 3 raises NameError. Did you mean: 'x'?"],
        ),
        (
            report(),
            report(breakdown=Breakdown(message="Line 3 raises NameError.", meaning="", tests=())),
            ["The same as before: RoPE is applied to V.", "New: Line 3 raises NameError."],
        ),
        (report(diagnoses=()), report(diagnoses=()), ["The same as before: Heads; positions."]),
    ],
)
def test_what_became_of_each_cause_is_told(before: Report, after: Report, told: list[str]):
    assert since(before, after, {"heads": "Heads"}).sentences() == told


def test_a_result_that_is_held_is_told_as_that(student: Student, school: School):
    school.asks, school.hold, school.is_held = ASKS, True, True
    student.write("mine.py", GRADABLE)
    _, sent, *_ = screens(student, "\n", "q")
    assert "Submitted. The result is held until your instructor releases it." in " ".join(sent.split())
