"""More time, more attempts, points that staff give: whom they are for, when they count, and who is told what."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from app.accounts.erasure import erase_person
from app.accounts.service import console
from app.models import AuditEntry, Enrollment, PointsOverride, Submission, TermsException
from grader.report import Verdict
from tests.app.school import School, make_report
from tests.app.test_assignments import PATH, assign, from_now, refusal

pytestmark = pytest.mark.on_both_databases

ATTENTION = f"{PATH}/attention"
LAST_WEEK = {"due_at": from_now(days=-7), "closes_at": from_now(days=-6)}


def give(school: School, what: str = "exceptions", name: str = "grace", **fields: Any) -> Any:
    return school.client(name).post(f"{ATTENTION}/{what}", json={"reason": "Ill in the first week", **fields})


def standing(school: School, name: str = "ada") -> dict[str, Any]:
    found: dict[str, Any] = school.client(name).get("/courses/demo/standing").json()["assignments"][0]
    return found


def sent(school: School, name: str = "ada", score: float = 80.0, **late: float) -> str:
    """Graded, and moved to so long after the assignment was due."""
    submission = str(school.submit(name, b"x = %d\n" % score, data={"assignment": "demo/attention"})["id"])
    school.grade(submission, make_report(Verdict.FAILED, score))
    if late:
        with school.database.write() as session:
            row = session.get_one(Submission, submission)
            assert row.assignment
            assert row.assignment.due_at
            row.created_at = row.assignment.due_at + timedelta(**late)
    return submission


def put_into(school: School, section: str, *names: str) -> None:
    with school.database.write() as session:
        for name in names:
            session.execute(update(Enrollment).where(Enrollment.user.has(name=name)).values(section=section))


def test_an_extension_opens_a_closed_assignment_for_one_student_alone(school: School):
    assign(school, **LAST_WEEK)
    assert refusal(school, assignment="demo/attention")[0] == 409
    given = give(school, student="ada", due_at=from_now(days=1))
    assert given.status_code == 201, given.text
    assert school.submit("ada", data={"assignment": "demo/attention"})["is_late"] is False
    assert refusal(school, "bob", assignment="demo/attention")[0] == 409
    mine, due_at = standing(school), given.json()["due_at"]
    assert (mine["phase"], mine["due_at"], mine["closes_at"]) == (
        "open",
        due_at,
        due_at,
    )
    assert [each["reason"] for each in mine["exceptions"]] == ["Ill in the first week"]
    assert school.client("ada").get("/me").json()["assignments"][0]["due_at"] == due_at
    assert standing(school, "bob")["exceptions"] == []


def test_an_extension_after_the_deadline_takes_back_what_being_late_cost(school: School):
    assign(school, points=20, due_at=from_now(days=1), late_percent_per_day=10)
    submission = sent(school, score=50, days=1.5)
    assert standing(school)["score"].items() >= {"code": 8.0, "late_deduction": 2.0, "total": 8.0}.items()
    give(school, student="ada", due_at=from_now(days=4))
    ada = school.client("ada")
    assert standing(school)["score"].items() >= {"code": 10.0, "late_deduction": 0.0, "total": 10.0}.items()
    assert ada.get(f"/submissions/{submission}").json().items() >= {"is_late": False, "points": 10.0}.items()
    exception = ada_exceptions(school)[0]["id"]
    assert school.client("grace").delete(f"{ATTENTION}/exceptions/{exception}").status_code == 204
    assert standing(school)["score"]["total"] == 8.0


def ada_exceptions(school: School) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (
        school.client("grace").get(f"{ATTENTION}/exceptions", params={"student": "ada"}).json()["items"]
    )
    return found


def test_extra_attempts_are_had_by_a_section_while_one_is_in_it(school: School):
    assign(school, attempts_max=1, is_superseding=False)
    put_into(school, "Tuesday", "ada")
    assert give(school, section="Tuesday", extra_attempts=2).status_code == 201
    assert give(school, student="ada", extra_attempts=1).status_code == 201
    assert (standing(school)["attempts_max"], standing(school, "bob")["attempts_max"]) == (3, 1)
    for _ in range(3):
        school.submit("ada", data={"assignment": "demo/attention"})
    assert "the limit is 3" in refusal(school, assignment="demo/attention")[1]
    put_into(school, "Friday", "ada")
    assert standing(school)["attempts_max"] == 2
    assert len(ada_exceptions(school)) == 1


def test_minutes_of_grace_are_not_late_and_the_next_one_is_a_day(school: School):
    assign(school, points=10, due_at=from_now(days=1), late_percent_per_day=10, grace_minutes=15)
    in_time, late = sent(school, minutes=15), sent(school, minutes=16)
    ada = school.client("ada")
    found = [ada.get(f"/submissions/{each}").json() for each in (in_time, late)]
    assert [(each["is_late"], each["points"]) for each in found] == [(False, 8.0), (True, 7.2)]


def test_a_newer_exception_takes_the_place_of_the_one_before(school: School):
    assign(school, due_at=from_now(days=1))
    give(school, student="ada", due_at=from_now(days=5))
    give(school, student="ada", due_at=from_now(days=3))
    assert [each["due_at"] for each in ada_exceptions(school)] == [standing(school)["due_at"]]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "whom the exception is for"),
        ({"student": "ada", "section": "A", "extra_attempts": 1}, "whom the exception is for"),
        ({"student": "ada"}, "give more time"),
        ({"student": "grace", "extra_attempts": 1}, "'grace' is not a student of this course"),
        ({"student": "nobody", "extra_attempts": 1}, "'nobody' is not a student of this course"),
        ({"section": "A", "extra_attempts": 1}, "The roster names no sections yet"),
        ({"student": "ada", "due_at": "2029-12-31T00:00:00Z"}, "later than the assignment's own time, 1 Jan 2030, "),
        ({"student": "ada", "closes_at": "2031-01-01T00:00:00Z"}, "never closes"),
        ({"student": "ada", "extra_attempts": 1, "reason": " "}, "reason"),
        ({"student": "ada", "extra_attempts": -1}, "extra_attempts"),
        ({"student": "ada", "extra_attempts": 1, "colour": "red"}, "colour"),
    ],
)
def test_an_exception_that_makes_no_sense_is_refused(module_school: School, fields: dict[str, Any], words: str):
    response = give(module_school, **fields)
    assert (response.status_code, words in response.json()["detail"]) == (422, True), response.text


@pytest.fixture(scope="module")
def module_school(shared_school: School) -> School:
    assign(shared_school, due_at="2030-01-01T00:00:00Z", attempts_max=5)
    return shared_school


def test_an_override_holds_everywhere_until_it_is_withdrawn_and_stays_in_the_history(school: School):
    assign(school, points=20, due_at=from_now(days=1))
    submission = sent(school)
    assert give(school, "overrides", student="ada", points=12.5, reason="Oral exam").status_code == 201
    assert give(school, "overrides", student="ada", points=13, reason="Miscounted").status_code == 201
    score = standing(school)["score"]
    assert (score["total"], score["code"], score["override"]["points"]) == (13.0, 16.0, 13.0)
    assert score["override"]["reason"] == "Miscounted"
    assert school.client("ada").get(f"/submissions/{submission}").json()["assignment_score"] == score
    assert ",13.0,20.0," in school.client("grace").get("/courses/demo/export.csv").text
    withdrawn = give(school, "overrides", student="ada", points=None, reason="By mistake")
    assert withdrawn.status_code == 201
    assert standing(school)["score"].items() >= {"total": 16.0, "override": None}.items()
    history = school.client("grace").get(f"{ATTENTION}/overrides").json()["items"]
    assert [(each["points"], each["holds"]) for each in history] == [(None, False), (13.0, False), (12.5, False)]
    again = give(school, "overrides", student="ada", points=None)
    assert (again.status_code, "no override to withdraw" in again.json()["detail"]) == (409, True)


def test_who_has_submitted_nothing_may_be_given_points(school: School):
    assign(school, points=20)
    give(school, "overrides", student="bob", points=7, reason="On paper")
    assert standing(school, "bob")["score"].items() >= {"total": 7.0, "is_graded": True}.items()
    lines = school.client("grace").get("/courses/demo/export.csv").text.splitlines()
    assert next(line for line in lines if line.startswith("bob,")).split(",")[4] == "7.0"


def test_all_of_it_stands_in_the_audit_log(school: School):
    assign(school, due_at=from_now(days=1))
    exception = give(school, student="ada", due_at=from_now(days=2)).json()["id"]
    school.client("grace").delete(f"{ATTENTION}/exceptions/{exception}")
    give(school, "overrides", student="ada", points=1)
    give(school, "overrides", student="ada", points=None)
    items = school.client("grace").get("/courses/demo/audit").json()["items"][:4]
    assert [each["action"] for each in items] == [
        "override.withdraw", "override.give", "exception.withdraw", "exception.give",
    ]  # fmt: skip
    assert {(each["subject"], each["detail"]["student"]) for each in items} == {("attention", "ada")}
    assert items[0]["detail"]["points"] == [1.0, None]


def test_an_erased_person_leaves_no_reason_behind(school: School):
    assign(school, due_at=from_now(days=1))
    give(school, student="ada", due_at=from_now(days=2), reason="Pneumonia")
    give(school, "overrides", student="ada", points=3, reason="Pneumonia")
    erase_person(school.database, "ada", console())
    with school.database.read() as session:
        told = [*session.scalars(select(TermsException.reason)), *session.scalars(select(PointsOverride.reason))]
        assert told == ["erased", "erased"]
        assert "Pneumonia" not in str(list(session.scalars(select(AuditEntry.detail))))
