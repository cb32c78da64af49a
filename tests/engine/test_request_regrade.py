"""`engine request-regrade`: a request is made and withdrawn, and `engine status` shows the answer."""

import pytest

from tests.engine.conftest import Student
from tests.engine.school import School


@pytest.fixture
def graded(student: Student) -> Student:
    """Who has submitted."""
    student.invoke("submit-build")
    return student


def test_a_request_is_made_and_its_answer_read_in_the_terminal(graded: Student, school: School):
    made = graded.invoke("request-regrade", "--reason", "Line 4 is right.", "--line", "4", "--test", "heads/1")
    assert made.exit_code == 0, made.stderr
    assert "Your course's staff will look at it." in made.stdout
    (request,) = school.regrade_requests
    assert request.items() >= {"reason": "Line 4 is right.", "tests": ["heads/1"], "file": None, "lines": [4]}.items()
    assert "open: your course's staff will answer it" in graded.invoke("status").stdout
    answered = {"outcome": "points_changed", "answer": "You are\n\x1b[31mright.", "answered_by": "tara"}
    request.update(answered)
    told = [line.strip() for line in graded.invoke("status").stdout.splitlines()]
    at = told.index("tara answered:")
    assert told[at - 1 : at + 3] == ["Line 4 is right.", "tara answered:", "You are", "[31mright."]
    assert any(line.endswith("points changed") for line in told[:at])


def test_a_request_is_withdrawn_while_it_is_open(graded: Student, school: School):
    assert graded.invoke("request-regrade").exit_code == 2, "nobody is there to be asked for a reason"
    assert graded.invoke("request-regrade", "--reason", "It is right.").exit_code == 0
    assert "Withdrawn" in graded.invoke("request-regrade", "--withdraw").stdout
    assert school.regrade_requests[0]["outcome"] == "withdrawn"
    again = graded.invoke("request-regrade", "--withdraw")
    assert (again.exit_code, "no open regrade request" in again.stderr) == (2, True)
