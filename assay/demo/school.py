"""Writes a demonstration course into a database: people, assignments, submissions with their reports, answers."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.accounts import service as accounts
from app.assignments import service as assignments
from app.assignments.schemas import NewAssignment
from app.challenges.service import Catalogue
from app.courses import creation
from app.courses.schemas import NewCourse
from app.database import Database
from app.identifiers import id_at
from app.jobs.transitions import new_job
from app.models import (
    Assignment,
    Course,
    Enrollment,
    GradesRelease,
    JobState,
    Role,
    State,
    StoredReport,
    Submission,
    SubmissionFile,
    User,
)
from app.report_rows import rows_of
from assay.demo.answers import answers
from assay.demo.behaviour import Sent, submissions
from assay.demo.board import write_board
from assay.demo.people import Person, people
from assay.demo.platform import connect_platform
from assay.demo.sources import Sources
from assay.demo.talk import write_talk
from assay.demo.teaching import Class, give_exceptions, invite, override_points
from grader.messages import JobKind
from grader.report import Report

SECTIONS: Final = ("Monday", "Tuesday", "Thursday")
NEWCOMERS: Final = 4  # have joined lately, and sent nothing yet
STAFF: Final = (("instructor", Role.INSTRUCTOR), ("assistant", Role.ASSISTANT))


@dataclass(frozen=True)
class Set:
    """An assignment to make. Days are counted from now; what is past is negative."""

    slug: str
    title: str
    challenge: str
    opens: float
    due: float
    closes: float
    points: float = 100.0
    question_points: float = 20.0
    grades: GradesRelease = GradesRelease.AT_ONCE
    attempts_max: int | None = None
    has_leaderboard: bool = False


SETS: Final = (
    Set("normalisation", "RMSNorm", "rmsnorm", opens=-33, due=-19, closes=-12, points=40),
    Set(
        "attention",
        "Attention with RoPE",
        "mha-rope",
        opens=-13,
        due=1,
        closes=8,
        attempts_max=40,
        has_leaderboard=True,
    ),
    Set("exam", "RMSNorm without notes", "rmsnorm", -6, -5, -5, points=20, grades=GradesRelease.HELD),
    Set("causal-attention", "Causal attention", "mha-rope-causal", opens=5, due=19, closes=26),
)


@dataclass(frozen=True)
class GradedSources:
    """The files that can be sent to a challenge, and the real grader's report on each."""

    sources: Sources
    reports: Mapping[bytes, Report]


@dataclass(frozen=True)
class Made:
    """What was written, and the tokens, which nobody sees again."""

    submissions: int
    instructor_token: str
    student: str
    student_token: str


def write_course(
    database: Database,
    catalogue: Catalogue,
    graded: Mapping[str, GradedSources],
    random: Random,
    moment: datetime,
    slug: str,
    students: int,
) -> Made:
    """Raises Conflict when there is such a course already, or a person of that name."""
    console = accounts.console()
    creation.create(database, console, NewCourse(slug=slug, title="Deep learning from scratch"))
    class_ = people(random, students)
    for item in SETS:
        assignments.create(database, catalogue, console, slug, _terms(item, moment))
    with database.write() as session:
        course = session.query(Course).filter_by(slug=slug).one()
        users = [
            _enroll(session, course, person, Role.STUDENT, SECTIONS[place % len(SECTIONS)])
            for place, person in enumerate(class_)
        ]
        busy = users[:-NEWCOMERS] if len(users) > NEWCOMERS else users
        staff = [_enroll(session, course, Person(f"{slug}-{name}", name.title()), role) for name, role in STAFF]
        count = sum(
            _write_assignment(session, catalogue, graded[item.challenge], course, busy, item, random, moment)
            for item in SETS
            if item.challenge in graded
        )
    write_talk(database, users, staff, slug, moment)
    _run(database, catalogue, Class(slug, busy, users[len(busy) :], staff[0]), moment)
    for item in SETS:
        if item.has_leaderboard:
            write_board(database, catalogue, users, slug, item.slug)
    return Made(
        submissions=count,
        instructor_token=accounts.issue_token(database, staff[0].name, "demo-data"),
        student=users[0].name,
        student_token=accounts.issue_token(database, users[0].name, "demo-data"),
    )


def _run(database: Database, catalogue: Catalogue, class_: Class, moment: datetime) -> None:
    """Makes what there is to see on the pages of those who run a course."""
    closed, opened, *_ = SETS
    give_exceptions(database, class_, closed.slug, opened.slug, SECTIONS[1], moment)
    override_points(database, class_, closed.slug)
    if class_.newcomers:
        invite(database, class_, moment)
    came = class_.students[: len(class_.students) * 9 // 10]
    connect_platform(database, catalogue, class_.slug, came, class_.instructor, moment)


def _terms(item: Set, moment: datetime) -> NewAssignment:
    midnight = moment.replace(hour=23, minute=59, second=0, microsecond=0)
    return NewAssignment(
        slug=item.slug,
        title=item.title,
        challenge=item.challenge,
        points=item.points,
        question_points=item.question_points,
        opens_at=midnight + timedelta(days=item.opens),
        due_at=midnight + timedelta(days=item.due),
        closes_at=midnight + timedelta(days=item.closes),
        late_percent_per_day=10,
        grades_release=item.grades,
        attempts_max=item.attempts_max,
        has_leaderboard=item.has_leaderboard,
    )


def _enroll(session: Session, course: Course, person: Person, role: Role, section: str | None = None) -> User:
    details = {"full_name": person.full_name, "email": f"{person.name}@university.example"}
    user = User(name=person.name, role=role, created_by_course_id=course.id, **details)
    session.add(user)
    session.add(Enrollment(course=course, user=user, role=role, section=section, **details))
    session.flush()
    return user


def _write_assignment(
    session: Session,
    catalogue: Catalogue,
    graded: GradedSources,
    course: Course,
    users: Sequence[User],
    item: Set,
    random: Random,
    moment: datetime,
) -> int:
    assignment = session.query(Assignment).filter_by(course_id=course.id, slug=item.slug).one()
    assert assignment.opens_at is not None
    assert assignment.due_at is not None
    assert assignment.closes_at is not None
    end = min(moment, assignment.closes_at)
    entry = catalogue.get(item.challenge)
    before = _attempts(session, item.challenge, users)
    count = 0
    for user in users:
        skill = random.betavariate(2.2, 1.8)
        sent = submissions(random, graded.sources, skill, assignment.opens_at, assignment.due_at, end)
        rows = [
            _write_submission(session, user, assignment, entry.challenge.manifest.default_path, number, one, graded)
            for number, one in enumerate(sent, start=before.get(user.id, 0) + 1)
        ]
        if rows:
            user.first_used_at = user.first_used_at or rows[0].created_at
            session.add_all(answers(random, entry.questions, user, rows[-1], skill))
        session.flush()
        count += len(rows)
    return count


def _attempts(session: Session, challenge: str, users: Sequence[User]) -> dict[str, int]:
    """How often each has submitted to the challenge already, in another assignment."""
    query = select(Submission.user_id, func.count()).where(Submission.challenge == challenge)
    mine = query.where(Submission.user_id.in_([user.id for user in users])).group_by(Submission.user_id)
    return dict(session.execute(mine).all())


def _write_submission(
    session: Session, user: User, assignment: Assignment, main: str, number: int, sent: Sent, graded: GradedSources
) -> Submission:
    report = graded.reports[sent.source]
    started_at = sent.at + timedelta(seconds=0.4)
    graded_at = started_at + timedelta(seconds=report.timings.total_s)
    row = Submission(
        id=id_at(sent.at),
        user_id=user.id,
        assignment=assignment,
        course_id=assignment.course_id,
        challenge=assignment.challenge,
        challenge_version=report.challenge.version,
        attempt=number,
        filename=report.submission.filename,
        main=main,
        sha256=hashlib.sha256(sent.source).hexdigest(),
        seed=report.seed or 0,
        state=State.GRADED,
        created_at=sent.at,
        waiting_since=sent.at,
        graded_at=graded_at,
        verdict=report.verdict,
        score=report.score,
        max_score=report.max_score,
    )
    session.add(row)
    session.flush()
    done = {"state": JobState.DONE, "dispatched_at": sent.at, "started_at": started_at, "worker": "demo-data"}
    session.add(new_job(JobKind.SUBMISSION, row.id, id=row.id, **done))
    session.add(SubmissionFile(submission_id=row.id, path=main, content=sent.source))
    session.add(StoredReport(submission_id=row.id, body=report.to_json(), recorded_at=graded_at))
    session.add_all(rows_of(row.id, report))
    return row
