"""Comments on submissions: where they may be, who reads them when, and who changes them."""

import io
import json
import zipfile
from typing import Any, Final

import pytest
from sqlalchemy import func, select, update

from app.accounts.erasure import erase_person
from app.accounts.personal import export_person
from app.accounts.service import console
from app.comments import service
from app.models import AuditEntry, Comment, Enrollment, Role
from grader.report import Verdict
from tests.app.at_once import at_once
from tests.app.school import School, make_report
from tests.app.test_assignments import PATH, assign, from_now
from tests.app.test_regrades import Staff, assigned

__all__ = ["assigned"]

pytestmark = pytest.mark.on_both_databases
SOURCE: Final = b"import torch\r\n\r\ndef rope(): ...\n"
SIBLING: Final = "cs336_basics/heads.py"


def sent(school: School, name: str = "ada", **options: Any) -> str:
    """Graded: two files, of four lines and of two."""
    files = [("file", ("layers.py", SOURCE)), ("siblings", (SIBLING, b"a = 1\n"))]
    response = school.client(name).post("/submissions", files=files, **options)
    assert response.status_code == 202, response.text
    submission = str(response.json()["id"])
    school.grade(submission, make_report(Verdict.FAILED, 40.0, ("rope-on-v",)))
    return submission


def write(school: School, submission: str, text: str = "Look here.", name: str = "grace", **place: Any) -> Any:
    return school.client(name).post(f"/submissions/{submission}/comments", json={"text": text, **place})


def read(school: School, submission: str, name: str = "ada", **params: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (
        school.client(name).get(f"/submissions/{submission}/comments", params=params).json()["items"]
    )
    return found


def test_a_student_reads_what_staff_wrote_with_the_name_that_the_course_uses(school: School):
    school.add("tara", Role.ASSISTANT)
    with school.database.write() as session:
        session.execute(update(Enrollment).where(Enrollment.role == Role.ASSISTANT).values(full_name="Tara Singh"))
    submission = sent(school)
    assert write(school, submission, "What is\r\nthis <b>for</b>?\n", "tara", line=3).status_code == 201
    write(school, submission, "Well begun.")
    whole, line = read(school, submission)
    assert (whole["line"], whole["author"], whole["author_full_name"]) == (None, "grace", None)
    assert line.items() >= {
        "file": None, "line": 3, "text": "What is\nthis <b>for</b>?", "author_full_name": "Tara Singh",
        "edited_at": None, "may_change": False,
    }.items()  # fmt: skip


NO_COMMENTS = [
    ({"line": 5}, "The last line of layers.py is line 4"),
    ({"line": 0}, "greater than or equal to 1"),
    ({"line": 3, "file": SIBLING}, f"The last line of {SIBLING} is line 2"),
    ({"line": 1, "file": "secret.py"}, f"Its files are: {SIBLING}, cs336_basics/layers.py."),
    ({"file": SIBLING}, "Say which line"),
    ({"text": "  \n "}, "at least 1 character"),
    ({"text": "x" * 4001}, "at most 4000"),
    ({"text": "a\x1b[31m"}, "without control characters"),
]


def test_a_comment_is_on_a_line_that_there_is_and_says_something(school: School):
    submission = sent(school)
    for place, words in NO_COMMENTS:
        refused = write(school, submission, **{"text": "Look.", **place})
        assert (refused.status_code, words in refused.text) == (422, True), (place, refused.text)
        assert read(school, submission, "grace") == [], place


def test_half_a_character_is_refused(school: School):
    submission, headers = sent(school), {"Content-Type": "application/json"}
    path = f"/submissions/{submission}/comments"
    refused = school.client("grace").post(path, content=rb'{"text": "a\ud800"}', headers=headers)
    assert refused.status_code in (400, 422)


def test_the_uploaded_file_is_one_place_however_it_is_named(school: School):
    submission = sent(school)
    for place in ({"line": 3}, {"line": 3, "file": "cs336_basics/layers.py"}, {"line": 2, "file": SIBLING}):
        assert write(school, submission, **place).status_code == 201
    assert [(each["file"], each["line"]) for each in read(school, submission)] == [(None, 3), (None, 3), (SIBLING, 2)]


def test_nothing_is_written_about_what_is_not_graded_or_by_its_student(school: School):
    assert write(school, school.submit("ada")["id"]).status_code == 409
    assert write(school, sent(school), name="ada").status_code == 403
    assert write(school, sent(school), name="bob").status_code == 404


def test_its_author_and_instructors_change_a_comment_and_the_audit_log_keeps_what_it_said(school: School):
    for name in ("tara", "theo"):
        school.add(name, Role.ASSISTANT)
    submission = sent(school)
    path = f"/submissions/{submission}/comments/{write(school, submission, 'First', 'tara', line=1).json()['id']}"
    for name, status in (("theo", 403), ("ada", 403), ("bob", 404), ("tara", 200), ("grace", 200)):
        assert school.client(name).patch(path, json={"text": f"By {name}"}).status_code == status, name
    (shown,) = read(school, submission, "theo")
    assert shown["edited_at"] is not None
    told = {"text": "By grace", "author": "tara", "edited_by": "grace", "may_change": False}
    assert shown.items() >= told.items()
    assert school.client("theo").delete(path).status_code == 403
    assert school.client("tara").delete(path).status_code == 204
    assert school.client("grace").delete(path).status_code == 404
    log = school.client("grace").get("/courses/demo/audit").json()["items"]
    entries = [(each["action"], each["detail"]["text"]) for each in log if each["action"].startswith("comment.")]
    assert entries == [
        ("comment.delete", "By grace"),
        ("comment.change", ["By tara", "By grace"]),
        ("comment.change", ["First", "By tara"]),
        ("comment.write", "First"),
    ]


def test_a_comment_of_one_submission_is_not_changed_through_another(school: School):
    one, other = sent(school), sent(school, "bob")
    comment = write(school, one).json()["id"]
    path = f"/submissions/{other}/comments/{comment}"
    assert school.client("grace").patch(path, json={"text": "x"}).status_code == 404
    assert school.client("grace").delete(path).status_code == 404


@pytest.mark.parametrize("terms", [{"grades_release": "held"}, {"feedback": "verdict"}, {"feedback": "families"}])
def test_a_student_reads_nothing_while_their_assignment_keeps_results_back(school: School, terms: dict[str, Any]):
    assign(school, due_at=from_now(days=1), **terms)
    submission = sent(school, data={"assignment": "demo/attention"})
    write(school, submission, "RoPE belongs to the scores.", line=1)
    assert read(school, submission) == []
    assert read(school, submission, "grace", as_student=True) == []
    assert len(read(school, submission, "grace")) == 1
    assert "RoPE belongs" not in str(export_person(school.database, "ada"))
    grace = school.client("grace")
    if "feedback" in terms:
        grace.patch(f"{PATH}/attention", json={"feedback": "full"}).raise_for_status()
    else:
        grace.post(f"{PATH}/attention/release").raise_for_status()
    assert len(read(school, submission)) == 1


def test_a_regrade_keeps_comments(assigned: School):
    staff = Staff(assigned)
    submission = staff.graded("ada")
    write(assigned, submission, line=1)
    regrade = staff.ask()
    staff.judge(Verdict.PASSED, 100.0)
    assert staff.end(regrade, "apply").status_code == 200
    assert assigned.client("ada").get(f"/submissions/{submission}").json()["verdict"] == "passed"
    assert [each["line"] for each in read(assigned, submission)] == [1]


def test_of_many_comments_at_one_moment_no_more_are_kept_than_a_submission_takes(
    school: School, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "COMMENTS_MAX", 3)
    submission = sent(school)
    clients = [school.client("grace") for _ in range(8)]
    path = f"/submissions/{submission}/comments"
    answers = at_once(8, lambda number: clients[number].post(path, json={"text": f"{number}"}))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 5
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Comment)) == 3


def test_who_is_erased_leaves_no_comment_behind_and_no_author(school: School):
    school.add("tara", Role.ASSISTANT)
    submission, kept = sent(school), sent(school, "bob")
    write(school, submission, "Ada, this is brilliant.", "tara")
    write(school, kept, "Bob, look again.", "tara")
    erase_person(school.database, "ada", console())
    erase_person(school.database, "tara", console())
    with school.database.read() as session:
        (left,) = session.scalars(select(Comment))
        assert left.submission_id == kept
        log = str([(row.actor, row.detail) for row in session.scalars(select(AuditEntry))])
    assert "brilliant" not in log
    assert "'tara'" not in log
    assert read(school, kept, "bob")[0]["author"].startswith("erased-")
    assert write(school, submission).status_code == 409


def test_what_was_written_to_a_person_is_in_their_archive(school: School):
    submission = sent(school)
    write(school, submission, "Look at the masks.", line=3)
    with zipfile.ZipFile(io.BytesIO(export_person(school.database, "ada"))) as archive:
        (told,) = json.loads(archive.read("comments.json"))
    assert (told["submission_id"], told["line"], told["text"]) == (submission, 3, "Look at the masks.")
