"""What is new for a student: derived from what is there, told once, and never before it may be."""

import io
import json
import zipfile

import pytest
from sqlalchemy import func, select

from app.accounts.erasure import erase_person
from app.accounts.personal import export_person
from app.accounts.service import console
from app.models import Note, NoteRecipient, Reader
from tests.app.school import School
from tests.app.test_analytics import report, send
from tests.app.test_assignments import PATH, assign, from_now
from tests.app.test_comments import write as comment
from tests.app.test_notes import STILL, WRONG, news, own, write
from tests.app.test_questions import give
from tests.app.test_regrade_requests import answer, ask

pytestmark = pytest.mark.on_both_databases
EXTENSION = {"extra_attempts": 1, "reason": "Ill"}


def kinds(school: School, name: str = "ada") -> list[str]:
    return [item["kind"] for item in news(school, name)]


def override(school: School, name: str = "ada") -> None:
    wanted = {"student": name, "points": 7, "reason": "Oral exam"}
    assert school.client("grace").post(f"{PATH}/attention/overrides", json=wanted).status_code == 201


def test_comments_points_and_extensions_are_new_until_they_are_marked_as_read(school: School):
    assign(school, attempts_max=5)
    (submission,) = send(school, "ada", WRONG)
    for text in ("One.", "Two."):
        comment(school, submission, text)
    override(school)
    school.client("grace").post(f"{PATH}/attention/exceptions", json={"student": "ada", **EXTENSION})
    found = news(school)
    assert [item["title"] for item in found] == [
        "You have more time or attempts for Attention",
        "Your points in Attention changed",
        "2 new comments on attempt 1 at Attention",
    ]
    assert found[2]["link"] == f"/submissions/{submission}#comments"
    assert "Oral exam" not in str(found)
    assert (kinds(school, "bob"), kinds(school, "grace")) == ([], [])
    school.client("ada").post("/me/news/seen", json={"until": found[1]["at"]})
    assert kinds(school) == ["extension"]
    comment(school, submission, "Three.")
    assert news(school)[0]["title"] == "A new comment on attempt 1 at Attention"
    school.client("ada").post("/me/news/seen", json={"until": from_now(days=900)})
    assert kinds(school) == []
    comment(school, submission, "Four: what was said of the future counts as now.")
    assert kinds(school) == ["comment"]


def test_an_answer_to_a_regrade_request_is_new_once_grades_are_told(school: School):
    assign(school, grades_release="held")
    (submission,) = send(school, "ada", WRONG)
    school.client("grace").post(f"{PATH}/attention/release")
    request = ask(school, submission).json()["id"]
    assert "request" not in kinds(school)
    answer(school, request)
    found = news(school)[0]
    assert found["title"] == "Your regrade request for attempt 1 at Attention is answered"
    assert (found["kind"], found["link"]) == ("request", f"/submissions/{submission}#requests")
    school.client("grace").delete(f"{PATH}/attention/release")
    assert kinds(school) == []


def test_an_answer_that_was_marked_is_new_once_grades_are_told(school: School):
    assign(school, question_points=2, grades_release="held")
    (submission,) = send(school, "ada", WRONG)
    school.let_held_be_told(submission)
    assert give(school, submission, ("why", "Scores hold positions.")).status_code == 200
    (review,) = school.client("grace").get("/courses/demo/reviews").json()["items"]
    path = f"/courses/demo/reviews/{review['id']}"
    version = school.client("grace").get(path).json()["version"]
    school.client("grace").post(path, json={"version": version, "points": [0.5]}).raise_for_status()
    assert kinds(school) == []
    school.client("grace").post(f"{PATH}/attention/release")
    marked = next(item for item in news(school) if item["kind"] == "points")
    assert marked["title"] == "1 of your answers in Attention was marked"
    assert marked["link"] == f"/submissions/{submission}#questions"
    assert "0.5" not in str(marked)
    assert "points" not in kinds(school, "bob")
    school.client("ada").post("/me/news/seen", json={"until": marked["at"]})
    assert "points" not in kinds(school)


def test_a_section_is_told_of_its_extension(school: School):
    assign(school, due_at=from_now(days=1))
    file = {"file": ("roster.csv", b"name,section\nada,A\nbob,B\n")}
    plan = school.client("grace").post("/courses/demo/roster/preview", files=file).json()
    school.client("grace").post("/courses/demo/roster", files=file, data={"digest": plan["digest"]})
    given = {"section": "A", "due_at": from_now(days=9), "reason": "Strike"}
    assert school.client("grace").post(f"{PATH}/attention/exceptions", json=given).status_code == 201
    assert (kinds(school), kinds(school, "bob")) == (["extension"], [])


def test_nothing_is_new_while_grades_are_held_and_all_of_it_is_when_they_are_released(school: School):
    assign(school, grades_release="held")
    (submission,) = send(school, "ada", report(100))
    send(school, "bob", WRONG)
    comment(school, submission, "Well done.")
    override(school)
    write(school, **STILL)
    assert (kinds(school), kinds(school, "bob")) == ([], [])
    school.client("ada").post("/me/news/seen", json={"until": from_now(days=1)})
    school.client("grace").post(f"{PATH}/attention/release")
    assert sorted(kinds(school)) == ["comment", "grades", "points"]
    assert sorted(kinds(school, "bob")) == ["grades", "note"]
    school.client("grace").delete(f"{PATH}/attention/release")
    assert (kinds(school), kinds(school, "bob")) == ([], [])


def test_a_person_takes_their_notes_along_and_nothing_of_them_stays(school: School):
    assign(school)
    send(school, "ada", WRONG)
    write(school, **STILL, text="For ada.")
    write(school, "grace", text="For all.")
    school.client("ada").post("/me/news/seen", json={"until": from_now(days=1)})
    with zipfile.ZipFile(io.BytesIO(export_person(school.database, "ada"))) as archive:
        exported = json.loads(archive.read("notes.json"))
        assert [each["text"] for each in exported["received"]] == ["For all.", "For ada."]
        assert exported["written"] == []
    with zipfile.ZipFile(io.BytesIO(export_person(school.database, "grace"))) as archive:
        assert len(json.loads(archive.read("notes.json"))["written"]) == 2
    erase_person(school.database, "ada", console())
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(NoteRecipient)) == 1
        assert session.scalar(select(func.count()).select_from(Reader)) == 0
    erase_person(school.database, "grace", console())
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Note)) == 2
    (note,) = own(school, "bob")
    assert note["author"].startswith("erased-")
