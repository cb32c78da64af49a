"""A class as large as they come: made-up submissions to one assignment or to many, with all that pages tell of them."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from sqlalchemy import insert

from app.accounts import service as accounts
from app.assignments import service as assignments
from app.assignments.schemas import NewAssignment
from app.challenges.service import Catalogue
from app.courses import creation
from app.courses.schemas import NewCourse
from app.database import Database
from app.identifiers import id_at, new_id
from app.models import (
    Answer,
    Assignment,
    Course,
    DiagnosedMisconception,
    Enrollment,
    GradedPart,
    Job,
    JobState,
    PartKind,
    RegradeRequest,
    RequestOutcome,
    Role,
    State,
    StoredReport,
    Submission,
    SubmissionFile,
    User,
)
from grader.challenge import DEFAULT_ROOT
from grader.messages import GRADE_CPU_QUEUE, JobKind
from grader.report import ChallengeRef, Diagnosis, Environment, Report, SubmissionRef, Verdict

COURSE, ASSIGNMENT, CHALLENGE = "large", "attention", "mha-rope"
STUDENT = "student-7"
BATCH = 2000


def fill(database: Database, students: int, submissions: int, others: int = 0) -> dict[str, str]:
    """The tokens of somebody who may see everything, and of one student. With other assignments, which are as open as
    the first, the submissions are spread over all of them.
    """
    random, catalogue = Random(7), Catalogue(DEFAULT_ROOT)
    console = accounts.console()
    creation.create(database, console, NewCourse(slug=COURSE, title="A large course"))
    due_at = datetime.now(UTC) - timedelta(days=1)
    wanted = NewAssignment(slug=ASSIGNMENT, title="Attention", challenge=CHALLENGE, due_at=due_at)
    for slug in (ASSIGNMENT, *(f"other-{number}" for number in range(others))):
        assignments.create(database, catalogue, console, COURSE, wanted.model_copy(update={"slug": slug}))
    accounts.create_user(database, "operator", Role.OPERATOR, None)
    with database.write() as session:
        course = session.query(Course).filter_by(slug=COURSE).one()
        asked = session.query(Assignment).all()
    users = [
        {"id": new_id(), "name": f"student-{number}", "full_name": f"Student {number}", "role": Role.STUDENT}
        for number in range(students)
    ]
    write(database, User, users)
    roles = [{"user_id": user["id"], "course_id": course.id, "role": Role.STUDENT} for user in users]
    write(database, Enrollment, roles)
    manifest = catalogue.get(CHALLENGE).challenge.manifest
    rows = list(submissions_of(random, users, asked, submissions, due_at))
    write(database, Submission, rows)
    write(database, Job, [job_of(random, row) for row in rows])
    write(database, SubmissionFile, [file_of(row) for row in rows])
    diagnoses = diagnoses_of(random, rows)
    found: dict[str, list[dict[str, Any]]] = {}
    for each in diagnoses:
        found.setdefault(each["submission_id"], []).append(each)
    write(database, StoredReport, [report_of(row, found.get(row["id"], [])) for row in rows])
    for start in range(0, len(rows), BATCH):  # all at once would take a gigabyte
        parts = parts_of(random, rows[start : start + BATCH], list(manifest.families), list(manifest.rules))
        write(database, GradedPart, parts)
    write(database, RegradeRequest, [request_of(course, row, number) for number, row in enumerate(rows[::20])])
    write(database, DiagnosedMisconception, diagnoses)
    questions = [view.view.id for view in catalogue.get(CHALLENGE).questions.variants("anybody")]
    write(database, Answer, answers_of(random, rows, questions))
    return {name: accounts.issue_token(database, name, "benchmark") for name in ("operator", STUDENT)}


def write(database: Database, table: type, rows: Sequence[dict[str, Any]]) -> None:
    for start in range(0, len(rows), BATCH):
        with database.write() as session:
            session.execute(insert(table), rows[start : start + BATCH])


def submissions_of(
    random: Random, users: Sequence[dict[str, Any]], asked: Sequence[Assignment], count: int, due_at: datetime
) -> Iterator[dict[str, Any]]:
    moments = sorted(due_at - timedelta(days=14 * random.random() ** 2 - 1) for _ in range(count))
    attempts = dict.fromkeys((user["id"] for user in users), 0)
    for at in moments:
        user, assignment = random.choice(users)["id"], random.choice(asked)
        attempts[user] += 1
        score = min(100.0, random.gauss(40 + 3 * attempts[user], 20))
        yield {
            "id": id_at(at),
            "user_id": user,
            "assignment_id": assignment.id,
            "course_id": assignment.course_id,
            "challenge": CHALLENGE,
            "challenge_version": "v1",
            "attempt": attempts[user],
            "filename": "layers.py",
            "main": "layers.py",
            "sha256": f"{random.getrandbits(256):064x}",
            "seed": 1,
            "state": State.GRADED,
            "created_at": at,
            "waiting_since": at,
            "graded_at": at + timedelta(seconds=1),
            "verdict": Verdict.PASSED if score >= 99 else Verdict.FAILED,
            "score": round(max(0.0, score), 2),
            "max_score": 100.0,
        }


def job_of(random: Random, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": row["id"],
        "kind": JobKind.SUBMISSION,
        "submission_id": row["id"],
        "queue": GRADE_CPU_QUEUE,
        "state": JobState.DONE,
        "dispatched_at": row["created_at"],
        "started_at": row["created_at"],
        "worker": f"judge-{random.randrange(4)}",
        "tries": int(random.random() < 0.002),
    }


def file_of(row: dict[str, Any]) -> dict[str, Any]:
    source = (DEFAULT_ROOT / CHALLENGE / "starter" / "layers.py").read_bytes()
    return {"submission_id": row["id"], "path": row["main"], "content": source}


def report_of(row: dict[str, Any], diagnoses: Sequence[dict[str, Any]]) -> dict[str, Any]:
    told = (Diagnosis(id=each["misconception"], title=each["title"], explanation="", evidence="") for each in diagnoses)
    report = Report(
        challenge=ChallengeRef(slug=CHALLENGE, version="v1"),
        submission=SubmissionRef(filename="layers.py", sha256=row["sha256"]),
        verdict=row["verdict"],
        score=row["score"],
        max_score=100.0,
        summary="Made up.",
        diagnoses=tuple(told),
        environment=Environment(torch="2", device="cpu", sandbox="zygote (full)"),
    )
    return {"submission_id": row["id"], "body": report.to_json(), "recorded_at": row["graded_at"]}


def request_of(course: Course, row: dict[str, Any], number: int) -> dict[str, Any]:
    return {
        "id": id_at(row["graded_at"]),
        "submission_id": row["id"],
        "course_id": course.id,
        "reason": "The mask is right. " * 20,
        "tests": [],
        "lines": [12],
        "asked_at": row["graded_at"],
        "outcome": RequestOutcome.UNCHANGED if number % 4 else None,
        "answer": "It is not: see the example below the result. " * 5 if number % 4 else None,
    }


def parts_of(random: Random, rows: Sequence[dict[str, Any]], families: list[str], rules: list[str]) -> Any:
    names = [(PartKind.FAMILY, name, 8) for name in families] + [(PartKind.RULE, name, 1) for name in rules]
    return [
        {
            "submission_id": row["id"],
            "kind": kind,
            "name": name,
            "passed": total if 100 * random.random() < row["score"] else random.randrange(total),
            "total": total,
        }
        for row in rows
        for kind, name, total in names
    ]


def diagnoses_of(random: Random, rows: Sequence[dict[str, Any]]) -> Any:
    mistakes = (DEFAULT_ROOT / CHALLENGE / "misconceptions").glob("*.py")
    names = [*sorted(path.stem for path in mistakes)[:40], "rope-on-v"]
    return [
        {"submission_id": row["id"], "misconception": name, "title": name.replace("-", " "), "line": 12}
        for row in rows
        if row["verdict"] is Verdict.FAILED
        for name in random.sample(names, random.choice((0, 1, 1, 2)))
    ]


def answers_of(random: Random, rows: Sequence[dict[str, Any]], questions: list[str]) -> Any:
    last = {row["user_id"]: row for row in rows}
    return [
        {
            "submission_id": row["id"],
            "question": question,
            "given": "x",
            "mark": {"status": "correct", "score": float(random.random() < 0.6), "max_score": 1.0, "feedback": ""},
            "given_at": row["created_at"],
        }
        for row in last.values()
        for question in questions
    ]
