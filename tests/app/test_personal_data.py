"""A person's data: taken out whole, and erased but for what was awarded. Through the operator's command line."""

import io
import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from sqlalchemy import func, make_url, select

from app.accounts import service as accounts
from app.accounts import sessions
from app.models import (
    Answer,
    Assignment,
    AuditEntry,
    Base,
    HumanGrade,
    Hunt,
    Identity,
    LeaderboardEntry,
    Proof,
    RegradedSubmission,
    Role,
    State,
    Submission,
    User,
)
from assay.redis_accounts import WORKER
from grader.messages import STREAM_TTL_S, Graded, events_stream
from grader.report import Verdict
from tests.app.school import School, make_report
from tests.app.test_assignments import assign
from tests.app.test_reviews import listed, write
from tests.assay.conftest import invoke_assay
from worker.progress import Progress

pytestmark = pytest.mark.on_both_databases
MARK = "marked_by_carol"
NAME, FULL_NAME, EMAIL = "carol.shaw", "Carol Q. Shaw", "carol.shaw@school.test"
ROSTER = f"name,full_name,email\n{NAME},{FULL_NAME},{EMAIL}\nada,,\n"
SOURCE = f"# {MARK}\ndef rope(): ...\n".encode()


@pytest.fixture
def lived(school: School) -> School:
    """carol did everything that one can do, and bob did something too."""
    assign(school, points=20, question_points=10)
    grace, files = school.client("grace"), {"file": ("roster.csv", ROSTER.encode())}
    digest = grace.post("/courses/demo/roster/preview", files=files).json()["digest"]
    grace.post("/courses/demo/roster", files=files, data={"digest": digest}).raise_for_status()
    school.tokens[NAME] = accounts.issue_token(school.database, NAME, MARK)
    meant = {"data": {"assignment": "demo/attention"}}
    for name in (NAME, "bob"):
        report = make_report(Verdict.FAILED, 60.0, ("rope-on-v",)).model_copy(update={"summary": MARK})
        siblings = [("file", ("layers.py", SOURCE)), ("siblings", (f"{MARK}/part.py", SOURCE))]
        response = school.client(name).post("/submissions", files=siblings, **meant)
        assert response.status_code == 202, response.text
        sent = response.json()["id"]
        school.grade(sent, report)
        doubt = school.client(name).post(
            f"/submissions/{sent}/regrade-requests", json={"reason": f"{MARK}: it is right"}
        )
        answer = {"outcome": "unchanged", "answer": f"{MARK}: it is not"}
        grace.post(f"/courses/demo/regrade-requests/{doubt.json()['id']}", json=answer).raise_for_status()
        write(school, "attention", f"{MARK}: scores hold positions.", name)
    for review in listed(school, "attention"):
        points = {"version": 1, "points": [1], "comment": f"{MARK}: good"}
        grace.post(f"/courses/demo/reviews/{review['id']}", json=points).raise_for_status()
    assign(school, "second", question_points=4)
    write(school, "second", f"{MARK}: nobody has read this.", NAME)
    school.submit(NAME)  # waits for a judge
    with school.database.write() as session:
        carol = session.scalars(select(User).where(User.name == NAME)).one()
        session.add(Identity(issuer="https://id.test", subject=MARK, user_id=carol.id))
        session.add(
            Hunt(
                user_id=carol.id, challenge="mha-rope", number=1, bug="b", style="s", source=MARK, told={"of": MARK},
                lines_max=3, drawn_at=datetime(2026, 1, 1, tzinfo=UTC),
            )
        )  # fmt: skip
        assignment = session.scalars(select(Assignment).where(Assignment.slug == "attention")).one()
        session.add(LeaderboardEntry(assignment_id=assignment.id, user_id=carol.id, pseudonym=MARK, pseudonym_key=MARK))
        session.add(AuditEntry(actor="grace", action="other.change", subject=NAME, detail={"people": [NAME, "bob"]}))
    sessions.begin(school.database, carol, Proof.PROVIDER, "Firefox/140")
    ask_for_exercises(school)
    return school


def ask_for_exercises(school: School) -> None:
    """carol asks twice: she cancels the first herself, and loses the namespace before the second is there."""
    here, root, carol = "/operations/exercises", school.client("root"), school.client(NAME)
    root.put(f"{here}/cs/authors/{NAME}").raise_for_status()
    wanted = {"url": "https://git.example.edu/x.git", "namespace": "cs"}
    carol.post(here, json=wanted).raise_for_status()
    carol.post(f"{here}/cs/cancel").raise_for_status()
    carol.post(here, json=wanted).raise_for_status()
    root.delete(f"{here}/cs/authors/{NAME}").raise_for_status()
    root.put(f"{here}/own/authors/{NAME}").raise_for_status()


def user(school: School, folder: Path, *arguments: str) -> Any:
    told = {"ASSAY_REDIS_URL": school.api_settings.redis_url}
    return invoke_assay(folder, "user", "--database-url", school.api_settings.database_url, *arguments, **told)


def everything(school: School) -> str:
    """All that the database holds, as text."""
    with school.database.read() as session:
        rows = {
            table.name: [tuple(row) for row in session.execute(select(table))] for table in Base.metadata.sorted_tables
        }
    return json.dumps(rows, default=lambda value: value.decode() if isinstance(value, bytes) else str(value))


def points(school: School) -> list[list[str]]:
    """The gradebook without who they are."""
    text = school.client("grace").get("/courses/demo/export.csv").text
    lines = [line.split(",") for line in text.splitlines()[1:]]
    return sorted(line[3:13] for line in lines)


def test_what_is_a_persons_is_in_the_archive_and_no_secret_and_nobody_else(lived: School, tmp_path: Path):
    done = user(lived, tmp_path, "export", NAME, "--output", "carol.zip")
    assert done.returncode == 0, done.stderr
    packed = tmp_path / "carol.zip"
    assert packed.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(io.BytesIO(packed.read_bytes())) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert json.loads(files["account.json"])["email"] == EMAIL
    assert [course["slug"] for course in json.loads(files["courses.json"])] == ["demo"]
    assert [token["label"] for token in json.loads(files["tokens.json"])] == [MARK]
    assert [session["browser"] for session in json.loads(files["sessions.json"])] == ["Firefox"]
    assert [each["subject"] for each in json.loads(files["identities.json"])] == [MARK]
    assert [each["pseudonym"] for each in json.loads(files["leaderboards.json"])] == [MARK]
    answer, unread = json.loads(files["answers.json"])
    assert unread["readings"] == []
    assert answer["given"].startswith(MARK)
    assert [reading["comment"] for reading in answer["readings"]] == [f"{MARK}: good"]
    (request,) = json.loads(files["regrade_requests.json"])
    assert (request["reason"], request["answer"]) == (f"{MARK}: it is right", f"{MARK}: it is not")
    exercises = json.loads(files["exercises.json"])
    assert [each["namespace"] for each in exercises["namespaces"]] == ["own"]
    assert [each["state"] for each in exercises["requests"]] == ["cancelled", "refused"]
    assert files["hunts/mha-rope/1/source.py"] == MARK
    assert files["submissions/mha-rope/build-1/files/cs336_basics/layers.py"] == SOURCE.decode()
    assert f"submissions/mha-rope/build-1/files/{MARK}/part.py" in files
    report = json.loads(files["submissions/mha-rope/build-1/submission.json"])["report"]
    assert (report["summary"], report["tests"][0]["message"]) == (MARK, "")
    assert "submissions/mha-rope/build-2/submission.json" in files
    actions = {entry["action"] for entry in json.loads(files["audit.json"])}
    assert actions == {"other.change", "request.ask", "exercises.ask", "exercises.cancel"}
    whole = "".join(files.values())
    for hidden in ("secret message", 'sha256": ""', lived.tokens[NAME], "question_seed"):
        assert hidden not in whole
    again = user(lived, tmp_path, "export", NAME, "--output", "carol.zip")
    assert again.returncode == 2
    assert user(lived, tmp_path, "export", "nobody", "--output", "x.zip").returncode == 2


def test_of_who_is_erased_points_stay_and_nothing_else(lived: School, tmp_path: Path):
    before = points(lived)
    with lived.database.read() as session:
        open_ = session.scalars(
            select(Submission.id).join(User).where(User.name == NAME, Submission.state == State.QUEUED)
        ).one()
    done = user(lived, tmp_path, "erase", NAME, "--yes")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    held = everything(lived)
    for gone in (NAME, FULL_NAME, EMAIL):
        assert gone not in held
    assert held.count(MARK) > 0, "bob's is still there"
    with lived.database.read() as session:
        erased = session.scalars(select(User).where(User.name.like("erased-%"))).one()
        assert (erased.full_name, erased.email, erased.role) == (None, None, Role.STUDENT)
        assert MARK not in str(
            session.scalars(select(Answer.given).join(Submission).where(Submission.user_id == erased.id)).all()
        )
        assert sorted(session.scalars(select(HumanGrade.comment))) == ["", f"{MARK}: good"]
        assert session.get_one(Submission, open_).state is State.CANCELLED
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "user.erase"))
        assert (entry.actor, entry.subject) == ("console", erased.name)
    assert points(lived) == before
    assert lived.client(NAME).get("/me").status_code == 401
    with lived.redis.client() as client:
        assert client.exists(events_stream(open_)) == 0


def test_all_that_was_marked_is_gone_when_its_last_owner_is(lived: School, tmp_path: Path):
    for name in (NAME, "bob"):
        assert user(lived, tmp_path, "erase", name, "--yes").returncode == 0
    assert MARK not in everything(lived)


def test_a_judge_that_still_has_it_in_hand_brings_nothing_back(lived: School, tmp_path: Path):
    with lived.database.read() as session:
        open_ = session.scalars(
            select(Submission.id).join(User).where(User.name == NAME, Submission.state == State.QUEUED)
        ).one()
    user(lived, tmp_path, "erase", NAME, "--yes")
    lived.recording().record(Graded(job=open_, report=make_report()))
    with lived.database.read() as session:
        assert session.get_one(Submission, open_).verdict is None
        assert session.scalar(select(func.count()).select_from(Submission).where(Submission.verdict.is_not(None))) == 5


def test_a_judge_that_works_on_it_tells_nothing_more(lived: School, tmp_path: Path):
    with lived.database.read() as session:
        open_ = session.scalars(
            select(Submission.id).join(User).where(User.name == NAME, Submission.state == State.QUEUED)
        ).one()
    tested = make_report().tests[0]
    with lived.redis.client() as redis, Redis.from_url(lived.redis.url_of(WORKER)) as judges:
        judge = Progress(judges, "judge")
        judge.running(open_)
        judge.test_ended(open_, tested, 1, 2)
        assert redis.xlen(events_stream(open_)) == 3
        user(lived, tmp_path, "erase", NAME, "--yes")
        judge.test_ended(open_, tested, 2, 2)
        assert not redis.exists(events_stream(open_))
        judge.running("by-a-judge")
        assert 0 < redis.ttl(events_stream("by-a-judge")) <= STREAM_TTL_S
    assert [event.event for event in lived.watch(open_, "grace")] == ["state"]


def test_staff_go_on_working_with_what_stays(lived: School, tmp_path: Path):
    user(lived, tmp_path, "erase", NAME, "--yes")
    grace = lived.client("grace")
    with lived.database.read() as session:
        erased = session.scalars(select(User.name).where(User.name.like("erased-%"))).one()
    for item in grace.get("/submissions", params={"student": erased}).json()["items"]:
        for path in ("", "/files", "/questions"):
            assert grace.get(f"/submissions/{item['id']}{path}").status_code in (200, 403)
    for path in ("roster", "analytics", "reviews", "similarity?assignment=attention", "audit"):
        assert grace.get(f"/courses/demo/{path}").status_code in (200, 404), path
    asked = grace.post("/courses/demo/assignments/attention/regrades", json={})
    assert asked.status_code == 202, "bob's is graded again; there is nothing left of the other"
    with lived.database.read() as session:
        assert session.scalar(select(func.count()).select_from(RegradedSubmission)) == 2


def test_who_is_called_as_a_word_of_the_audit_log_changes_no_other_word(school: School, tmp_path: Path):
    """The first start makes an account called student."""
    told = {"student": "bob", "reason": "ill", "role": "student", "changed": {"student": {"role": ["student", "x"]}}}
    school.add("student")
    with school.database.write() as session:
        session.add(AuditEntry(actor="grace", action="other.change", subject="demo", detail=told))
    assert user(school, tmp_path, "erase", "student", "--yes").returncode == 0
    with school.database.read() as session:
        pseudonym = session.scalars(select(User.name).where(User.name.like("erased-%"))).one()
        kept = session.scalars(select(AuditEntry.detail).where(AuditEntry.action == "other.change")).one()
    assert kept == told | {"changed": {pseudonym: {"role": ["student", "x"]}}}
    assert user(school, tmp_path, "erase", "bob", "--yes").returncode == 0
    with school.database.read() as session:
        kept = session.scalars(select(AuditEntry.detail).where(AuditEntry.action == "other.change")).one()
    assert kept["reason"] == "erased"


def test_nobody_is_erased_by_mistake(lived: School, tmp_path: Path):
    assert user(lived, tmp_path, "erase", NAME).returncode == 1, "nobody said yes"
    assert user(lived, tmp_path, "erase", "nobody", "--yes").returncode == 2
    assert lived.client(NAME).get("/me").status_code == 200


def test_the_files_of_the_database_hold_nothing_of_who_is_erased(lived: School, tmp_path: Path):
    url = make_url(lived.api_settings.database_url)
    if url.get_backend_name() != "sqlite":
        return  # PostgreSQL's files are its own: docs/operations.md says what to do
    assert url.database is not None
    assert user(lived, tmp_path, "erase", NAME, "--yes").returncode == 0
    files = [path for path in Path(url.database).parent.glob(f"{Path(url.database).name}*") if path.is_file()]
    assert [path for path in files if EMAIL.encode() in path.read_bytes()] == []
    assert lived.client("grace").get("/courses/demo/export.csv").is_success
