"""Conceptual questions: when they are asked, whose they are, what an answer earns."""

import json
from typing import Any

import pytest

from grader.report import Verdict
from tests.app.school import School, make_report
from tests.app.test_problems import assert_problem


@pytest.fixture
def graded(school: School) -> str:
    sent = school.submit()
    school.grade(sent["id"])
    return str(sent["id"])


@pytest.fixture(scope="module")
def shared_graded(shared_school: School) -> str:
    sent = shared_school.submit()
    shared_school.grade(sent["id"])
    return str(sent["id"])


def ask(school: School, submission_id: str, name: str = "ada") -> dict[str, Any]:
    items = school.client(name).get(f"/submissions/{submission_id}/questions").json()["items"]
    return {item["id"]: item for item in items}


def give(school: School, submission_id: str, *answers: tuple[str, Any], name: str = "ada"):
    body = {"answers": [{"question": question, "answer": answer} for question, answer in answers]}
    return school.client(name).post(f"/submissions/{submission_id}/answers", json=body)


def answering(answer: bytes) -> bytes:
    return b'{"answers": [{"question": "heads", "answer": ' + answer + b"}]}"


def right(question: dict[str, Any]) -> float:
    heads, wide = (int(word.strip("?.")) for word in question["prompt"].split() if word.strip("?.").isdigit())
    return wide / heads


def test_questions_come_after_the_verdict(school: School):
    sent = school.submit()
    for response in (
        school.client("ada").get(f"/submissions/{sent['id']}/questions"),
        give(school, sent["id"], ("heads", 1)),
    ):
        assert "has not been graded yet" in assert_problem(response, 409)["detail"]


def test_a_rejected_submission_has_no_questions(school: School):
    sent = school.submit()
    school.grade(sent["id"], make_report(Verdict.REJECTED, 0.0))
    assert_problem(school.client("ada").get(f"/submissions/{sent['id']}/questions"), 409)


def test_an_answer_is_marked_and_kept(school: School, graded: str):
    asked = ask(school, graded)
    assert set(asked) == {"heads", "why"}
    assert asked["heads"]["answer"] is None
    assert set(asked["heads"]) == {
        *("id", "kind", "prompt", "code", "points", "unit", "options", "hint"),
        *("answer", "answers_left", "refusal", "solution"),
    }
    marked = give(school, graded, ("heads", str(right(asked["heads"]))), ("why", "Because.")).json()["items"]
    assert [(item["question"], item["mark"]["status"], item["mark"]["score"]) for item in marked] == [
        ("heads", "correct", 1.0), ("why", "pending", 0.0),
    ]  # fmt: skip
    again = ask(school, graded)
    kept = {name: marked[0][name] for name in ("given", "mark", "is_held", "is_late", "is_given_up", "marked_by")}
    assert again["heads"]["answer"] == kept


def test_the_last_answer_counts(school: School, graded: str):
    give(school, graded, ("heads", right(ask(school, graded)["heads"])))
    give(school, graded, ("heads", 1))
    assert ask(school, graded)["heads"]["answer"]["mark"]["status"] == "incorrect"


def test_the_variant_stays_the_same_for_a_students_next_submission(school: School, graded: str):
    second = school.submit()
    school.grade(second["id"])
    assert ask(school, graded)["heads"]["prompt"] == ask(school, second["id"])["heads"]["prompt"]


def test_an_answer_is_kept_for_the_next_submission(school: School, graded: str):
    give(school, graded, ("heads", 1))
    later = school.submit()
    school.grade(later["id"])
    assert ask(school, later["id"])["heads"]["answer"]["given"] == 1
    give(school, later["id"], ("heads", 2))
    for submission_id in (graded, later["id"]):
        assert ask(school, submission_id)["heads"]["answer"]["given"] == 2


def test_only_the_owner_is_asked(school: School, graded: str):
    path = f"/submissions/{graded}/questions"
    assert_problem(school.client("bob").get(path), 404)
    assert_problem(school.client("grace").get(path), 403)
    assert_problem(give(school, graded, ("heads", 1), name="grace"), 403)


def test_all_answers_are_kept_or_none(school: School, graded: str):
    assert_problem(give(school, graded, ("heads", 1), ("why", 5)), 422)
    assert ask(school, graded)["heads"]["answer"] is None


def test_a_question_that_is_not_asked_is_not_found(school: School, graded: str):
    assert_problem(give(school, graded, ("unknown", 1)), 404)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"answers": []}',
        b'{"answers": [{"question": "heads"}]}',
        answering(b"null"),
        answering(b"{}"),
        answering(b"NaN"),
        answering(b"1e999"),
        answering(b'"\\ud800"'),
        answering(b'"x"'),
        answering(b"9" * 5000),
        answering(b'"' + b"x" * 20_000 + b'"'),
        answering(b"[" + b'"a",' * 100 + b'"a"]'),
        answering(b'1, "mark": 1'),
        b"[" * 100_000,
    ],
)
def test_a_malformed_answer_is_the_callers_mistake(shared_school: School, shared_graded: str, body: bytes):
    school, graded = shared_school, shared_graded
    headers = {"Content-Type": "application/json"}
    response = school.client("ada").post(f"/submissions/{graded}/answers", content=body, headers=headers)
    assert_problem(response, response.status_code)
    assert response.status_code in (400, 422)


def test_a_nul_and_an_emoji_are_only_text(school: School, graded: str):
    text = "a\x00b 🙂"
    assert give(school, graded, ("why", text)).json()["items"][0]["given"] == text
    assert ask(school, graded)["why"]["answer"]["given"] == text
    assert json.dumps(text)
