"""Courses are created and copied by whoever may, over REST; a copy moves every date along."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.accounts import service as accounts
from app.models import Role
from app.settings import ApiSettings
from tests.app.conftest import open_school
from tests.app.redis_process import RedisProcess
from tests.app.school import School
from tests.app.test_assignments import assign

pytestmark = pytest.mark.on_both_databases


@pytest.fixture
def generous(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    """Here instructors create courses, and new ones are in Berlin."""
    lenient = settings.model_copy(update={"instructors_create_courses": True, "time_zone": "Europe/Berlin"})
    yield from open_school(lenient, redis)


def copy(school: School, who: str = "root", **changes: Any) -> Any:
    wanted = {"slug": "next", "title": "Next year", "starts_on": "2027-10-07", **changes}
    return school.client(who).post("/courses/demo/copies", json=wanted)


def test_an_operator_creates_a_course(school: School) -> None:
    made = school.client("root").post("/courses", json={"slug": "new-one", "title": "A new one"})
    assert (made.status_code, made.json()["time_zone"]) == (201, "UTC")
    assert made.headers["Location"] == "/api/v1/courses/new-one"
    assert [item["slug"] for item in school.client("root").get("/courses").json()["items"]] == ["demo", "new-one"]
    assert [item["slug"] for item in school.client("grace").get("/courses").json()["items"]] == ["demo"]
    audit = school.client("root").get("/courses/new-one/audit").json()["items"]
    assert [entry["action"] for entry in audit] == ["course.create"]


NO_COURSES = [
    ({"slug": "demo"}, 409, "already"),
    ({"slug": "new"}, 422, "reserved"),
    ({"slug": "A b"}, 422, "pattern"),
    ({"title": "a\nb"}, 422, "one line"),
    ({"time_zone": "Mars/Olympus"}, 422, "Europe/Berlin"),
]


def test_a_course_that_cannot_be_is_refused(school: School) -> None:
    for wrong, status, told in NO_COURSES:
        refused = school.client("root").post("/courses", json={"slug": "fine", "title": "Fine", **wrong})
        assert (refused.status_code, told in refused.text) == (status, True), (wrong, refused.text)


def test_where_a_setting_allows_it_an_instructor_creates_courses_and_instructs_them(generous: School) -> None:
    made = generous.client("grace").post("/courses", json={"slug": "mine", "title": "Mine"})
    assert (made.status_code, made.json()["time_zone"]) == (201, "Europe/Berlin")
    assert generous.client("grace").get("/courses/mine/audit").status_code == 200
    assert generous.client("ada").post("/courses", json={"slug": "hers", "title": "Hers"}).status_code == 403


def test_who_is_an_instructor_nowhere_but_by_name_creates_none(generous: School) -> None:
    generous.add("idle", Role.INSTRUCTOR, None)
    assert generous.client("idle").post("/courses", json={"slug": "mine", "title": "Mine"}).status_code == 403


def test_a_copy_has_the_assignments_with_weekday_and_local_time_kept(school: School) -> None:
    root = school.client("root")
    root.patch("/courses/demo", json={"time_zone": "Europe/Berlin"}).raise_for_status()
    assign(
        school,
        opens_at="2026-10-06T09:00:00+02:00",  # a Tuesday, the first week
        due_at="2026-11-03T23:59:00+01:00",  # a Tuesday, in winter time
        points=7,
        attempts_max=3,
        feedback="verdict",
    )
    assign(school, "free")
    assert copy(school).status_code == 201
    copied = {item["slug"]: item for item in root.get("/courses/next/assignments").json()["items"]}
    source = {item["slug"]: item for item in root.get("/courses/demo/assignments").json()["items"]}
    first = copied["attention"]
    assert first["opens_at"] == "2027-10-05T07:00:00Z"
    assert first["due_at"] == "2027-11-02T22:59:00Z"
    assert first["time_zone"] == "Europe/Berlin"
    same = set(first) - {"course", "opens_at", "due_at", "phase"}
    assert {name: first[name] for name in same} == {name: source["attention"][name] for name in same}
    assert copied["free"]["due_at"] is None


def test_a_copy_takes_instructors_along_and_nobody_else(school: School) -> None:
    school.add("tara", Role.ASSISTANT)
    assert copy(school).status_code == 201
    people = school.client("grace").get("/courses/next/roster").json()["items"]
    assert [(person["name"], person["role"]) for person in people] == [("grace", "instructor")]
    entry = next(
        item
        for item in school.client("grace").get("/courses/next/audit").json()["items"]
        if item["action"] == "course.copy"
    )
    assert entry["detail"] == {"of": "demo", "starts_on": "2027-10-07", "assignments": 0}


def test_a_copy_under_a_name_that_is_taken_leaves_nothing_behind(school: School) -> None:
    assign(school)
    accounts.create_user(school.database, "zoe", course="elsewhere")
    assert copy(school, slug="elsewhere").status_code == 409
    assert school.client("root").get("/courses/elsewhere/assignments").json()["items"] == []


def test_an_instructor_copies_nothing_unless_a_setting_lets_them(school: School) -> None:
    assert copy(school, "grace").status_code == 403


def test_only_an_instructor_of_a_course_copies_it(generous: School) -> None:
    generous.add("eve", Role.INSTRUCTOR, "elsewhere")
    assert copy(generous, "eve").status_code == 404
    assert copy(generous, "ada").status_code == 403
    assert copy(generous, "grace").status_code == 201


@pytest.mark.parametrize("starts_on", ["soon", "1999-01-01", "9999-01-01", None])
def test_a_first_week_that_is_none_is_refused(school: School, starts_on: str | None) -> None:
    assert copy(school, starts_on=starts_on).status_code == 422


def test_another_zone_moves_no_date(school: School) -> None:
    assign(school, due_at="2026-12-14T22:59:00Z")
    changed = school.client("grace").patch("/courses/demo", json={"time_zone": "America/New_York"})
    whole = {"slug": "demo", "title": "demo", "time_zone": "America/New_York", "archived_at": None}
    assert changed.json() == whole
    assert school.client("ada").get("/courses/demo/assignments/attention").json()["due_at"] == "2026-12-14T22:59:00Z"
    entry = school.client("grace").get("/courses/demo/audit").json()["items"][0]
    assert (entry["action"], entry["detail"]) == ("course.change", {"time_zone": ["UTC", "America/New_York"]})
