"""A course that is over: its students read, nothing is taken from them, and it comes back as it was."""

from typing import Any

import pytest

from app.models import Role
from grader.report import Verdict
from tests.app.school import SOURCE, School, make_report
from tests.app.test_assignments import assign, refusal

pytestmark = pytest.mark.on_both_databases
ARCHIVED = "'demo' is archived: you can still read your work there, but not submit anything."


def archive(school: School, name: str = "grace") -> dict[str, Any]:
    response = school.client(name).post("/courses/demo/archive")
    assert response.status_code == 200, response.text
    return response.json()  # type: ignore[no-any-return]


def actions(school: School) -> list[str]:
    return [entry["action"] for entry in school.client("grace").get("/courses/demo/audit").json()["items"]]


def test_what_students_sent_stays_readable_and_nothing_is_taken(school: School) -> None:
    assign(school, question_points=2)
    sent = school.submit(data={"assignment": "demo/attention"})["id"]
    school.grade(sent)
    archive(school)
    ada = school.client("ada")
    assert ada.get(f"/submissions/{sent}").json()["report"]["score"] == 40.0
    assert refusal(school, assignment="demo/attention") == (
        409,
        f"{ARCHIVED} To practise, submit without naming an assignment.",
    )
    answered = ada.post(f"/submissions/{sent}/answers", json={"answers": [{"question": "heads", "answer": 1}]})
    assert (answered.status_code, answered.json()["detail"]) == (409, f"heads: {ARCHIVED}")
    assert {item["refusal"] for item in ada.get(f"/submissions/{sent}/questions").json()["items"]} == {ARCHIVED}
    asked = ada.post(f"/submissions/{sent}/regrade-requests", json={"reason": "Look again."})
    assert (asked.status_code, asked.json()["detail"]) == (409, ARCHIVED)


def test_nobody_joins_its_leaderboard_and_whoever_is_on_it_may_leave(school: School) -> None:
    assign(school, has_leaderboard=True)
    for name in ("ada", "bob"):
        sent = school.submit(name, data={"assignment": "demo/attention"})["id"]
        school.grade(sent, make_report(Verdict.PASSED, 100.0))
    board = "/courses/demo/assignments/attention/leaderboard"
    assert school.client("bob").put(f"{board}/mine", json={"pseudonym": None}).status_code == 204
    archive(school)
    joined = school.client("ada").put(f"{board}/mine", json={"pseudonym": None})
    assert (joined.status_code, joined.json()["detail"]) == (409, ARCHIVED)
    assert school.client("ada").get(board).json()["may_join"] is False
    assert school.client("bob").delete(f"{board}/mine").status_code == 204


def test_it_is_out_of_the_way_of_what_is_due_and_says_so_itself(school: School) -> None:
    assign(school)
    assign(school, "later", opens_at="2099-01-01T00:00:00Z")
    archive(school)
    me = school.client("ada").get("/me").json()
    assert me["assignments"] == []
    assert [(course["slug"], course["is_archived"]) for course in me["courses"]] == [("demo", True)]
    standing = school.client("ada").get("/courses/demo/standing").json()
    assert (standing["is_archived"], standing["next_opens_at"]) == (True, None)
    assert [(each["slug"], each["phase"]) for each in standing["assignments"]] == [("attention", "closed")]


def test_what_is_practised_from_then_on_belongs_to_no_archived_course(school: School) -> None:
    before = school.submit()["id"]
    archive(school)
    after = school.submit(source=SOURCE + b"\n")
    assert after["assignment"] is None
    seen = [item["id"] for item in school.client("grace").get("/courses/demo/submissions").json()["items"]]
    assert seen == [before]


def test_staff_keep_it_and_bring_it_back_as_it_was(school: School) -> None:
    assign(school)
    sent = school.submit(data={"assignment": "demo/attention"})["id"]
    school.grade(sent)
    archived_at = archive(school)["archived_at"]
    grace = school.client("grace")
    assert archived_at is not None
    assert grace.get("/courses/demo/gradebook").json()["items"]
    assert grace.get("/courses/demo/week").json()["deadlines"] == []
    given = {"student": "ada", "points": 50, "reason": "The mask is right."}
    assert grace.post("/courses/demo/assignments/attention/overrides", json=given).status_code == 201
    assert archive(school)["archived_at"] == archived_at
    assert grace.delete("/courses/demo/archive").json()["archived_at"] is None
    assert grace.delete("/courses/demo/archive").status_code == 200
    assert school.submit(data={"assignment": "demo/attention"})["assignment"] == "demo/attention"
    assert [each for each in actions(school) if each.startswith("course.")] == ["course.bring_back", "course.archive"]


def test_a_copy_of_it_is_not_archived(school: School) -> None:
    archive(school)
    wanted = {"slug": "next", "title": "Next year", "starts_on": "2027-10-07"}
    assert school.client("root").post("/courses/demo/copies", json=wanted).json()["archived_at"] is None


def test_another_course_of_the_student_goes_on(school: School) -> None:
    """What the archived one asked for is counted for the other, without a question."""
    root = school.client("root")
    root.post("/courses", json={"slug": "more", "title": "More"}).raise_for_status()
    school.add("eve", Role.STUDENT, "demo")
    from_more = {"file": ("roster.csv", b"name\neve\n")}
    plan = root.post("/courses/more/roster/preview", files=from_more).json()
    root.post("/courses/more/roster", files=from_more, data={"digest": plan["digest"]}).raise_for_status()
    assign(school)
    assign(school, course="more")
    assert refusal(school, "eve")[0] == 409
    archive(school)
    assert school.submit("eve")["assignment"] == "more/attention"
