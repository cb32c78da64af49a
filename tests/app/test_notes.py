"""Notes to many students: who gets one is fixed when it is sent, and nobody learns who else did."""

from typing import Any

import pytest
from sqlalchemy import select

from app.models import AuditEntry, Role
from app.notes.service import NOTES_PER_DAY
from grader.report import Verdict
from tests.app.school import School
from tests.app.test_analytics import report, send
from tests.app.test_assignments import PATH, assign, from_now
from tests.app.test_regrades import Staff, assigned

__all__ = ["assigned"]

pytestmark = pytest.mark.on_both_databases
NOTES = "/courses/demo/notes"
STILL = {"assignment": "attention", "misconception": "rope-on-v"}
WRONG = report(40, "theta", misconceptions=("rope-on-v",))


def write(school: School, name: str = "grace", **wanted: Any) -> Any:
    return school.client(name).post(NOTES, json={"text": "Look again.", **wanted})


def own(school: School, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = school.client(name).get("/me/notes").json()["items"]
    return found


def news(school: School, name: str = "ada") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = school.client(name).get("/me/news").json()["items"]
    return found


def sent(school: School) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = school.client("grace").get(NOTES).json()["items"]
    return found


def audience(school: School, **params: str) -> Any:
    return school.client("grace").get(f"{NOTES}/audience", params=params)


def test_a_note_reaches_those_who_still_hold_the_idea_and_the_list_is_fixed_when_it_is_sent(school: School):
    assign(school)
    for name in ("cyd", "dan"):
        school.add(name)
    send(school, "ada", WRONG)
    send(school, "bob", WRONG, report(100))  # has understood it since
    send(school, "cyd", report(20, "heads"))
    send(school, "grace", WRONG)  # no student
    looked = audience(school, **STILL).json()
    assert [person["name"] for person in looked["people"]] == ["ada"]
    assert looked["title"] == "About rope-on-v"
    assert write(school, **STILL, audience=looked["version"]).json()["recipients"] == 1
    send(school, "dan", WRONG)
    assert {name: len(own(school, name)) for name in ("ada", "bob", "cyd", "dan")} == {
        "ada": 1, "bob": 0, "cyd": 0, "dan": 0
    }  # fmt: skip
    refused = write(school, **STILL, audience=looked["version"])
    assert (refused.status_code, "has changed" in refused.json()["detail"]) == (409, True)
    assert write(school, **STILL).json()["recipients"] == 2


def test_a_student_reads_it_and_learns_nobody_elses_name(school: School):
    assign(school)
    send(school, "ada", WRONG)
    send(school, "bob", WRONG)
    write(school, **STILL, text="What should\r\nknow <b>positions</b>?")
    (item,) = news(school)
    assert (item["kind"], item["title"], item["note"]["text"]) == (
        "note", "A note about Attention", "What should\nknow <b>positions</b>?"
    )  # fmt: skip
    assert not {"bob", "rope-on-v"} & set(str(item).replace("'", " ").split())
    assert "recipients" not in str(item)
    note = item["note"]["id"]
    assert school.client("bob").post(f"/me/notes/{note}/read").status_code == 204
    assert (sent(school)[0]["recipients"], sent(school)[0]["read"]) == (2, 1)
    assert (len(news(school)), len(news(school, "bob")), len(own(school, "bob"))) == (1, 0, 1)
    assert school.client("grace").post(f"/me/notes/{note}/read").status_code == 404


def test_everybody_gets_an_announcement_also_about_an_assignment(school: School):
    assign(school)
    assign(school, "planned", opens_at=from_now(days=1))
    school.add("tara", Role.ASSISTANT)
    write(school, text="The room has changed.")
    assert write(school, "tara", assignment="attention", text="Question 2 is easier now.").status_code == 201
    assert [note["assignment_title"] for note in own(school, "ada")] == ["Attention", None]
    assert own(school, "tara") == []
    with school.database.read() as session:
        logged = session.scalars(select(AuditEntry).where(AuditEntry.action == "note.send")).all()
    assert logged[0].detail == {"recipients": 2, "text": "The room has changed."}
    assert write(school, assignment="planned").status_code == 409
    assert write(school, assignment="nothing").status_code == 404


NO_NOTES = [
    {"text": " "},
    {"text": "x" * 4001},
    {"text": "\x1b[2J"},
    {"misconception": "rope-on-v"},
    {"people": ["bob"]},
]


def test_what_is_no_note_is_refused(school: School):
    for wanted in NO_NOTES:
        assert write(school, **wanted).status_code == 422, wanted


def test_a_course_takes_so_many_notes_a_day(school: School):
    statuses = [write(school).status_code for _ in range(NOTES_PER_DAY + 1)]
    assert statuses == [201] * NOTES_PER_DAY + [409]


@pytest.mark.parametrize("terms", [{"grades_release": "held"}, {"feedback": "verdict", "due_at": from_now(days=1)}])
def test_a_note_about_a_mistake_waits_until_results_are_told(school: School, terms: dict[str, str]):
    """That one got it says what is wrong. An announcement says nothing of anybody."""
    assign(school, **terms)
    send(school, "ada", WRONG)
    write(school, **STILL)
    write(school, assignment="attention", text="The room has changed.")
    assert [item["note"]["text"] for item in news(school)] == ["The room has changed."]
    (hidden,) = (note["id"] for note in sent(school) if note["misconception"])
    assert school.client("ada").post(f"/me/notes/{hidden}/read").status_code == 404
    school.client("ada").post("/me/news/seen", json={"until": from_now(days=1)})
    assert news(school) == []
    school.client("grace").patch(f"{PATH}/attention", json={"feedback": "full"})
    if terms.get("grades_release") == "held":
        assert school.client("grace").post(f"{PATH}/attention/release").status_code == 200
    assert "Look again." in str(news(school))


def test_who_has_left_the_course_reads_its_notes_no_more(school: School):
    write(school)
    file = {"file": ("roster.csv", b"name\nbob\n")}
    data = {"remove_missing": "true"}
    plan = school.client("grace").post("/courses/demo/roster/preview", files=file, data=data).json()
    done = school.client("grace").post("/courses/demo/roster", files=file, data={**data, "digest": plan["digest"]})
    assert done.is_success, done.text
    assert (own(school, "ada"), len(own(school, "bob"))) == ([], 1)


@pytest.fixture
def staff(assigned: School) -> Staff:
    return Staff(assigned)


def test_an_applied_regrade_tells_those_whom_it_changed_and_nobody_else(staff: Staff):
    staff.graded("ada")
    staff.graded("bob")
    regrade = staff.ask()
    staff.judge(Verdict.PASSED, 100.0)
    staff.judge(Verdict.FAILED, 40.0)
    assert news(staff.school) == []
    staff.end(regrade, "apply")
    staff.end(regrade, "apply")
    (item,) = news(staff.school)
    (result,) = item["note"]["results"]
    assert (item["kind"], item["title"]) == ("regrade", "A regrade changed your result in Attention")
    assert result.items() >= {
        "attempt": 1, "verdict_before": "failed", "score_before": 40.0, "verdict": "passed", "score": 100.0
    }.items()  # fmt: skip
    assert news(staff.school, "bob") == []
    (told,) = sent(staff.school)
    assert (told["kind"], told["regrade"], told["recipients"], told["author"]) == ("regrade", regrade["id"], 1, None)


def test_a_regrade_of_held_grades_tells_nobody_also_not_afterwards(school: School):
    assign(school, grades_release="held", is_superseding=False)
    staff = Staff(school)
    staff.graded("ada")
    regrade = staff.ask()
    staff.judge()
    staff.end(regrade, "apply")
    assert (news(school), sent(school)) == ([], [])
    school.client("grace").post(f"{PATH}/attention/release")
    assert [item["kind"] for item in news(school)] == ["grades"]
