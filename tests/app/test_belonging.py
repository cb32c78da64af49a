"""To which course a submission or hunt belongs: decided when it is sent, and opened by no enrolment afterwards."""

from typing import Any

import pytest
from sqlalchemy import select

from app.accounts import service as accounts
from app.models import Hunt, Role, Submission
from grader.report import Verdict
from tests.app.school import School, make_report

pytestmark = pytest.mark.on_both_databases
HUNT = "/challenges/mha-rope/hunt"
PASSED = make_report(Verdict.PASSED, 100.0)


@pytest.fixture
def school(school: School) -> School:
    """eve teaches elsewhere, and yan helps her."""
    school.add("eve", Role.INSTRUCTOR, course="elsewhere")
    school.add("yan", Role.ASSISTANT, course="elsewhere")
    return school


def assign(school: School, course: str, slug: str = "a1", **terms: Any) -> None:
    body = {"slug": slug, "title": "A", "challenge": "mha-rope", **terms}
    assert school.client("root").post(f"/courses/{course}/assignments", json=body).status_code == 201


def bring_in(school: School, name: str, course: str = "elsewhere", by: str = "eve") -> None:
    """As an instructor does, by no more than the name."""
    file = {"file": ("roster.csv", f"name\n{name}\n".encode())}
    client = school.client(by)
    plan = client.post(f"/courses/{course}/roster/preview", files=file).json()
    done = client.post(f"/courses/{course}/roster", files=file, data={"digest": plan["digest"]})
    assert done.status_code == 200, done.text


def statuses(school: School, name: str, submission: str) -> set[int]:
    client = school.client(name)
    paths = ("", "/files", "/events", "/questions")
    return {client.get(f"/submissions/{submission}{path}").status_code for path in paths}


def seen(school: School, name: str) -> set[str]:
    return {item["id"] for item in school.client(name).get("/submissions").json()["items"]}


def everything_about(school: School, name: str, course: str, student: str = "ada") -> list[Any]:
    """Whatever the staff of a course can look up of a student and of the figures that the student is in."""
    client = school.client(name)
    paths = ("roster", "analytics", "submissions", "reviews", f"analytics/students/{student}")
    return [client.get(f"/courses/{course}/{path}").json() for path in paths]


def test_who_brings_a_student_in_sees_nothing_of_what_was_sent_before(school: School):
    practice = school.submit()["id"]
    school.grade(practice, PASSED)
    ada = school.client("ada")
    ada.post(f"/submissions/{practice}/answers", json={"answers": [{"question": "why", "answer": "My own words."}]})
    given = ada.get(HUNT).json()["source"]
    fix = ada.post(f"{HUNT}/fixes", files={"file": ("layers.py", given.encode())}).json()["id"]
    school.grade(fix, make_report(misconceptions=("rope-on-v",)))
    bring_in(school, "ada")
    for name in ("eve", "yan"):
        assert seen(school, name) == set()
        assert statuses(school, name, practice) | statuses(school, name, fix) == {404}
        listed = school.client(name).get("/submissions", params={"student": "ada", "kind": "hunt"}).json()
        assert listed["items"] == []
        roster, analytics, submissions, reviews, profile = everything_about(school, name, "elsewhere")
        assert next(person for person in roster["items"] if person["name"] == "ada")["submissions"] == 0
        assert (analytics["challenges"], submissions["total"]) == ([], 0)
        assert (reviews["items"], profile["assignments"]) == ([], [])
    assert seen(school, "grace") == {practice, fix}


def test_what_is_practised_in_ones_only_course_is_seen_by_its_staff(school: School):
    """`assay up` has such a course: without an assignment, and its instructor sees what the student does."""
    practice = school.submit()["id"]
    school.grade(practice)
    assert statuses(school, "grace", practice) == {200, 403}
    assert school.client("grace").get("/courses/demo/analytics").json()["challenges"][0]["submissions"] == 1


def test_who_is_in_two_courses_practises_for_the_one_that_sets_the_challenge(school: School):
    accounts.enroll(school.database, "ada", "elsewhere")
    nobodys = school.submit()["id"]
    assign(school, "elsewhere", closes_at="2026-01-01T00:00:00Z")
    theirs = school.submit()["id"]
    assert (seen(school, "grace"), seen(school, "eve")) == (set(), {theirs})
    assign(school, "demo", closes_at="2026-01-01T00:00:00Z")
    both = school.submit()["id"]
    assert (seen(school, "grace"), seen(school, "eve")) == (set(), {theirs})
    assert seen(school, "ada") == seen(school, "root") == {nobodys, theirs, both}


def test_an_assignment_that_has_not_opened_takes_no_practice(school: School):
    accounts.enroll(school.database, "ada", "elsewhere")
    assign(school, "elsewhere", opens_at="2100-01-01T00:00:00Z")
    school.submit()
    assert seen(school, "eve") == set()


def test_what_was_sent_for_a_course_stays_the_courses_when_the_student_leaves(school: School):
    assign(school, "demo")
    sent = school.submit(data={"assignment": "demo/a1"})["id"]
    file = {"file": ("roster.csv", b"name\nbob\n")}
    grace, terms = school.client("grace"), {"remove_missing": "true"}
    plan = grace.post("/courses/demo/roster/preview", files=file, data=terms).json()
    assert plan["removed"] == ["ada"]
    grace.post("/courses/demo/roster", files=file, data={"digest": plan["digest"], **terms})
    assert seen(school, "grace") == {sent}
    school.submit()
    assert seen(school, "grace") == {sent}


def test_what_staff_try_out_themselves_belongs_to_nobody(school: School):
    school.add("tara", Role.ASSISTANT)
    school.submit("tara")
    assert seen(school, "grace") == set()


def test_neither_staff_sees_that_there_was_an_attempt_in_the_other_course(school: School):
    accounts.enroll(school.database, "ada", "elsewhere")
    for course in ("demo", "elsewhere"):
        assign(school, course)
    here = school.submit(data={"assignment": "demo/a1"})["id"]
    there = school.submit(data={"assignment": "elsewhere/a1"})["id"]
    assert (seen(school, "grace"), seen(school, "eve")) == ({here}, {there})
    figures = [school.client(name).get(f"/courses/{course}/analytics").json() for name, course in
               (("grace", "demo"), ("eve", "elsewhere"))]  # fmt: skip
    assert [figure["challenges"][0]["submissions"] for figure in figures] == [1, 1]


def test_questions_about_attempts_know_those_of_the_same_course_only(school: School):
    accounts.enroll(school.database, "ada", "elsewhere")
    for course in ("demo", "elsewhere"):
        assign(school, course)
    wrong = make_report(misconceptions=("rope-on-v",))
    school.grade(school.submit(data={"assignment": "demo/a1"})["id"], wrong)
    for course in ("elsewhere", "demo"):
        school.grade(school.submit(data={"assignment": f"{course}/a1"})["id"], PASSED)
    with school.database.read() as session:
        kept = session.scalars(select(Submission.facts).order_by(Submission.id)).all()
    assert [facts["misconceptions"] if facts else None for facts in kept] == [None, [], ["rope-on-v"]]


def test_staff_of_any_course_do_not_get_the_hunt_of_a_challenge_that_theirs_does_not_set(school: School):
    fix = {"file": ("layers.py", b"x = 1\n")}
    for name in ("eve", "yan", "grace"):
        client = school.client(name)
        assert client.get(HUNT).status_code == 409
        assert client.post(f"{HUNT}/fixes", files=fix).status_code == 409
        assert client.post(f"{HUNT}/next").status_code == 409
    assign(school, "elsewhere")
    assert [school.client(name).get(HUNT).status_code for name in ("eve", "yan", "grace", "root")] == [
        200,
        200,
        409,
        200,
    ]
    school.client("root").delete("/courses/elsewhere/assignments/a1")
    assert school.client("eve").get(HUNT).status_code == 409


def test_a_hunt_belongs_to_the_course_in_which_it_was_drawn(school: School):
    school.grade(school.submit()["id"], PASSED)
    given = school.client("ada").get(HUNT).json()["source"]
    bring_in(school, "ada")
    assign(school, "elsewhere")
    fix = school.client("ada").post(f"{HUNT}/fixes", files={"file": ("layers.py", given.encode())}).json()["id"]
    assert fix in seen(school, "grace")
    assert fix not in seen(school, "eve")
    with school.database.read() as session:
        assert session.scalars(select(Hunt.course_id)).one() is not None
