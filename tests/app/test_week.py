"""What needs somebody this week, counted by hand."""

from typing import Any

import pytest

from app.models import Role
from tests.app.school import School
from tests.app.test_analytics import report, send
from tests.app.test_assignments import PATH, assign, from_now
from tests.app.test_exceptions import give, sent

pytestmark = pytest.mark.on_both_databases
WEEK = "/courses/demo/week"


def week(school: School, **params: str) -> dict[str, Any]:
    response = school.client("grace").get(WEEK, params=params)
    assert response.status_code == 200, response.text
    return response.json()  # type: ignore[no-any-return]


def called(people: list[dict[str, Any]]) -> list[str]:
    return [each["student"] for each in people]


@pytest.fixture
def class_(school: School) -> School:
    """Two open assignments. In one bob is stuck, ada has passed, cyd has sent nothing; grace has tried it."""
    assign(school, due_at=from_now(days=3))
    assign(school, "second", due_at=from_now(days=20))
    school.add("cyd")
    into = {"data": {"assignment": "demo/attention"}}
    send(school, "ada", report(20, "theta", misconceptions=("theta-ignored",)), report(100), **into)
    send(school, "bob", *[report(40, "heads", misconceptions=("rope-on-v",))] * 4, **into)
    send(school, "grace", report(100), **into)
    return school


def test_who_has_not_started_who_is_stuck_and_what_is_still_wrong(class_: School):
    first, second = week(class_)["assignments"]
    assert (first["not_started"], called(first["not_started_students"])) == (1, ["cyd"])
    (bob,) = first["stuck_students"]
    assert (bob["student"], bob["attempts"], bob["attempts_since_best"]) == ("bob", 4, 3)
    assert [each["title"] for each in first["stuck_on"]] == ["About rope-on-v"]
    assert [(each["id"], each["students"]) for each in first["ideas"]] == [("rope-on-v", 1)]
    assert called(second["not_started_students"]) == ["ada", "bob", "cyd"]
    assert (second["stuck"], second["ideas"]) == (0, [])


def test_somebody_can_be_searched_for_and_counts_stay_those_of_the_class(class_: School):
    first, second = week(class_, search="BO")["assignments"]
    assert (first["not_started"], called(first["not_started_students"])) == (1, [])
    assert (first["stuck"], called(first["stuck_students"])) == (1, ["bob"])
    assert (second["not_started"], called(second["not_started_students"])) == (3, ["bob"])
    assert called(week(class_, search="%")["assignments"][1]["not_started_students"]) == []


def test_what_is_over_or_long_due_is_no_work_for_this_week(school: School):
    assign(school, "closed", due_at=from_now(days=-3), closes_at=from_now(days=-2))
    assign(school, "long-due", due_at=from_now(days=-8))
    assign(school, "late", due_at=from_now(days=-6))
    assign(school, "planned", opens_at=from_now(days=2), due_at=from_now(days=9))
    found = week(school)
    assert [each["assignment"]["slug"] for each in found["assignments"]] == ["late"]
    assert [(each["assignment"], each["what"]) for each in found["deadlines"]] == [("planned", "opens")]


def test_of_many_open_assignments_those_that_are_due_next_come_first(school: School):
    assign(school, "whenever")
    for days in (-2, 9, 3, 30, 20, 40, 50):
        assign(school, f"in-{days + 2}", due_at=from_now(days=days))
    slugs = [each["assignment"]["slug"] for each in week(school)["assignments"]]
    assert slugs == ["in-5", "in-11", "in-22", "in-32", "in-42", "in-52"]


def test_answers_and_held_grades_wait_and_an_extension_is_told(school: School):
    assign(school, question_points=5, grades_release="held", due_at=from_now(days=1))
    submission = sent(school)
    school.let_held_be_told(submission)
    answers = {"answers": [{"question": "why", "answer": "Because."}]}
    assert school.client("ada").post(f"/submissions/{submission}/answers", json=answers).status_code == 200
    found = week(school)
    assert found["reviews"] == [{"assignment": "attention", "title": "Attention", "answers": 1}]
    assert found["held"] == [], "it is not over"
    school.client("grace").patch(f"{PATH}/attention", json={"due_at": from_now(hours=-1)}).raise_for_status()
    assert week(school)["held"] == [
        {"assignment": "attention", "title": "Attention", "students": 1, "open_until": None}
    ]
    until = give(school, student="bob", due_at=from_now(days=1)).json()["due_at"]
    assert week(school)["held"][0]["open_until"] == until
    school.client("grace").post(f"{PATH}/attention/release").raise_for_status()
    assert week(school)["held"] == []


def test_an_assistant_reads_it_and_it_says_whether_grading_works(school: School):
    school.add("tara", Role.ASSISTANT)
    school.submit("ada")
    found = school.client("tara").get(WEEK).json()
    assert (found["assignments"], found["service"]["waiting"]) == ([], 1)
    assert found["service"]["judges"] == 0
