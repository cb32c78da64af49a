"""Coming back to a submission: status, history, questions, the web page."""

import pytest

from engine.events import EventParser
from tests.engine import papers
from tests.engine.conftest import Student
from tests.engine.school import Flood, School


def last(school: School) -> str:
    return list(school.submissions)[-1]


def test_status_shows_the_last_submission_with_its_lines(student: Student, school: School):
    student.invoke("submit-build")
    result = student.invoke("status")
    assert result.exit_code == 1
    assert "Not passed yet" in result.stdout
    assert "for h in range(num_heads):" in result.stdout


def test_lines_of_a_file_that_has_changed_since_are_not_shown(student: Student):
    student.invoke("submit-build")
    student.write("cs336_basics/layers.py", papers.RIGHT)
    result = student.invoke("status")
    assert "layers.py:5" in result.stdout
    assert "for h in range" not in result.stdout


def test_all_tells_every_failing_test(student: Student):
    student.invoke("submit-build")
    assert "heads: case 4" not in student.invoke("status").stdout
    assert "heads: case 4" in student.invoke("status", "--all").stdout


def test_on_another_machine_the_server_knows_the_last_one(student: Student, tmp_path):
    student.invoke("submit-build")
    student.environment["XDG_CONFIG_HOME"] = str(tmp_path / "other")
    assert "Not passed yet" in student.invoke("status").stdout


def test_one_that_is_not_graded_yet_says_why_and_can_be_waited_for(student: Student, school: School):
    school.waiting = "The grader is having trouble; your submission is safe and will be graded."
    submission = student.invoke("submit-build", "--no-wait").stdout.strip()
    result = student.invoke("status", submission)
    assert result.exit_code == 1
    assert "This is not your fault. The grader is having trouble" in result.stdout
    assert student.invoke("status", submission, "--format", "json").stdout == ""
    assert "Not passed yet" in student.invoke("status", submission, "--wait").stdout


def test_nothing_submitted_yet_is_a_sentence(student: Student):
    for command in ("status", "answer", "cancel", "open"):
        result = student.invoke(command)
        assert result.exit_code == 2
        assert "engine submit-build" in result.stderr
    assert "engine submit-build" in student.invoke("history").stdout


def test_an_unknown_or_impossible_id_is_wrong_usage(student: Student):
    assert student.invoke("status", "nosuch").exit_code == 2
    for name in ("../me", "a b", "%2e%2e", "x" * 100):
        assert student.invoke("status", name).exit_code == 2


def test_what_still_waits_can_be_taken_back(student: Student, school: School):
    submission = student.invoke("submit-build", "--no-wait").stdout.strip()
    result = student.invoke("cancel")
    assert result.exit_code == 0
    assert f"({submission}) will not be graded and costs no attempt." in result.stdout
    assert school.submissions[submission]["state"] == "cancelled"


def test_what_is_graded_cannot_be_taken_back(student: Student, school: School):
    student.invoke("submit-build")
    result = student.invoke("cancel", last(school))
    assert result.exit_code == 3
    assert "Grading has already started." in result.stderr


def test_history_lists_newest_first_and_says_that_there_is_more(student: Student, school: School):
    for _ in range(3):
        student.invoke("submit-build", "--no-wait")
    result = student.invoke("history", "--limit", "2")
    assert list(school.submissions)[2] in result.stdout.splitlines()[1]
    assert "--limit 4" in result.stdout


def test_questions_are_asked_in_a_terminal_and_marked_at_once(student: Student, school: School):
    typed = ("a lot\n", "17.2 GB\n", "z\n", "A)\n", "b, a > c\n", "\n")
    talk = student.converse("submit-build", typed=typed, NO_COLOR="1")
    assert talk.exit_code == 1
    assert "Write a number, for example 12." in talk.text
    assert "✓ Right: 2 of 2." in talk.text
    assert "There is no 'z' here; type one of a, b." in talk.text
    assert {key: value["given"] for key, value in school.answers.items()} == {
        "score-memory": "17.2 GB",
        "why-not-v": "relative",
        "order": ["project", "split", "rope"],
    }
    again = student.converse("answer", typed=("All scores above the diagonal go.\n\n",), NO_COLOR="1")
    assert again.exit_code == 0
    assert "A person will read it." in again.text
    assert "Why is V not rotated?" not in again.text


def test_leaving_the_questions_does_not_change_the_verdict(student: Student):
    for way_out in ("q\n", "\x04", "\x03"):
        talk = student.converse("submit-build", typed=(way_out,), NO_COLOR="1")
        assert talk.exit_code == 1
        assert "engine answer" in talk.text


def test_one_answer_can_be_given_by_a_script(student: Student, school: School):
    student.invoke("submit-build")
    result = student.invoke("answer", last(school), "--question", "order", "--answer", "b,a,c")
    assert result.exit_code == 0
    assert "Right: 1 of 1" in result.stdout
    assert student.invoke("answer", "--question", "why-not-v", "--answer", "slow").exit_code == 0
    listed = student.invoke("answer").stdout
    assert "Your answer: b a c" in listed
    assert "Not right: 0 of 1" in listed


def test_answers_that_cannot_be_are_wrong_usage(student: Student):
    student.invoke("submit-build")
    assert student.invoke("answer", "--question", "why-not-v", "--answer", "q").exit_code == 2
    assert student.invoke("answer", "--question", "score-memory", "--answer", "many").exit_code == 2
    assert student.invoke("answer", "--question", "no-such", "--answer", "1").exit_code == 2
    assert student.invoke("answer", "--question", "order").exit_code == 2


def test_open_prints_the_page_and_calls_the_browser(student: Student, school: School):
    student.invoke("submit-build")
    browser = student.write("browser", b'#!/bin/sh\necho "$1" > called\n')
    browser.chmod(0o755)
    result = student.program("open", BROWSER=str(browser))
    page = f"{student.environment['ASSAY_SERVER']}/submissions/{last(school)}"
    assert result.stdout.strip() == page
    assert (student.folder / "called").read_text().strip() == page


@pytest.mark.parametrize(
    "address",
    [
        *("file:///etc/passwd", "javascript:alert(1)", None, "https://evil.test/", "//evil.test/x", "http://[", "/a b"),
        *("http://127.0.0.1:1/submissions/x", "http://127.0.0.1@evil.test/", "/submissions/\x1b]0;mine\x07", "/\u202e"),
    ],
)
def test_what_is_no_page_of_the_own_server_is_not_opened(student: Student, school: School, address: str | None):
    student.invoke("submit-build")
    school.web = address
    browser = student.write("browser", b"#!/bin/sh\ntouch called\n")
    browser.chmod(0o755)
    result = student.program("open", BROWSER=str(browser))
    assert (result.returncode, result.stdout, (student.folder / "called").exists()) == (3, "", False)
    assert "has no web page for this submission" in result.stderr


@pytest.mark.parametrize("is_compressed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("status", [200, 409])
def test_an_answer_longer_than_any_is_not_read_to_its_end(
    student: Student, school: School, status: int, is_compressed: bool
):
    """Sixty times as long as its bytes on the wire, or more, where it is compressed."""
    body = b'{"items": []}' if status == 200 else b'{"title": "Not now", "detail": "It is closed."}'
    school.flood = Flood(status, body, is_compressed)
    told = student.invoke("challenges")
    assert told.exit_code == 3
    assert "sent an answer that this version of `engine` does not understand" in told.stderr
    assert is_compressed or school.flood.sent_bytes < 48 << 20


def test_an_event_without_end_is_not_kept():
    parser = EventParser()
    line = b"data: " + b"x" * 65_530 + b"\n"
    assert [event for _ in range(64) for event in parser.feed(line)] == []
    (event,) = parser.feed(b"\n")
    assert len(event.data) <= 1 << 20
    (event,) = parser.feed(b"data: the next\n\n")
    assert event.data == "the next"
