"""Writes a demonstration course into a database: people, assignments, submissions with their reports, answers."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from sqlalchemy.orm import Session

from app.accounts import service as accounts
from app.assignments import service as assignments
from app.assignments.schemas import NewAssignment
from app.challenges.service import Catalogue
from app.courses import creation
from app.courses.schemas import NewCourse
from app.database import Database
from app.gradebook import exceptions, overrides
from app.gradebook.schemas import NewException, NewOverride
from app.identifiers import id_at
from app.jobs.transitions import new_job
from app.models import (
    Answer,
    Assignment,
    Course,
    Enrollment,
    JobState,
    Role,
    State,
    StoredReport,
    Submission,
    SubmissionFile,
    User,
)
from app.questions.asked import bank_for, drawn_for
from app.recorded import rows_of
from assay.demo.behaviour import Sent, submissions
from assay.demo.people import Person, people
from assay.demo.sources import Sources
from assay.demo.talk import write_talk
from grader.messages import JobKind
from grader.questions import NO_FACTS, LineVariant, QuestionBank
from grader.report import Report, Verdict

SECTIONS: Final = ("Monday", "Tuesday", "Thursday")
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


SETS: Final = (
    Set("normalisation", "RMSNorm", "rmsnorm", opens=-33, due=-19, closes=-12, points=40),
    Set("attention", "Attention with RoPE", "mha-rope", opens=-13, due=1, closes=8),
    Set("causal-attention", "Causal attention", "mha-rope-causal", opens=5, due=19, closes=26),
)


@dataclass(frozen=True)
class Graded:
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
    graded: Mapping[str, Graded],
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
        staff = [_enroll(session, course, Person(f"{slug}-{name}", name.title()), role) for name, role in STAFF]
        count = sum(
            _write_assignment(session, catalogue, graded[item.challenge], course, users, item, random, moment)
            for item in SETS
            if item.challenge in graded
        )
    _write_exceptions(database, users, staff[0], slug, moment)
    write_talk(database, users, staff, slug, moment)
    return Made(
        submissions=count,
        instructor_token=accounts.issue_token(database, staff[0].name, "demo-data"),
        student=users[0].name,
        student_token=accounts.issue_token(database, users[0].name, "demo-data"),
    )


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
    )


def _enroll(session: Session, course: Course, person: Person, role: Role, section: str | None = None) -> User:
    details = {"full_name": person.full_name, "email": f"{person.name}@university.example"}
    user = User(name=person.name, role=role, **details)
    session.add(user)
    session.add(Enrollment(course=course, user=user, role=role, section=section, **details))
    session.flush()
    return user


def _write_exceptions(database: Database, users: Sequence[User], staff: User, slug: str, moment: datetime) -> None:
    """More time for some and for a section, extra points for one who had none: what a gradebook is to show."""
    past, current = SETS[0], SETS[1]
    closed_at = moment + timedelta(days=past.closes)
    for user, reason in zip(users[3::41], ("Ill for a week", "Conference", "Laptop stolen"), strict=False):
        more = NewException(student=user.name, due_at=closed_at + timedelta(days=1), reason=reason)
        exceptions.give(database, staff, slug, past.slug, more)
    due_at = moment + timedelta(days=current.due + 3)
    for_all = NewException(section=SECTIONS[1], due_at=due_at, reason="The Tuesday class was cancelled")
    exceptions.give(database, staff, slug, current.slug, for_all)
    for user in users[7::67]:
        given = NewOverride(student=user.name, points=35, reason="Oral exam")
        overrides.give(database, staff, slug, past.slug, given)


def _write_assignment(
    session: Session,
    catalogue: Catalogue,
    graded: Graded,
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
    count = 0
    for user in users:
        skill = random.betavariate(2.2, 1.8)
        sent = submissions(random, graded.sources, skill, assignment.opens_at, assignment.due_at, end)
        rows = [
            _write_submission(session, user, assignment, entry.challenge.manifest.default_path, number, one, graded)
            for number, one in enumerate(sent, start=1)
        ]
        if rows:
            session.add_all(_answers(random, entry.questions, user, rows[-1], skill))
        session.flush()
        count += len(rows)
    return count


def _write_submission(
    session: Session, user: User, assignment: Assignment, main: str, number: int, sent: Sent, graded: Graded
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


def _answers(random: Random, bank: QuestionBank, user: User, last: Submission, skill: float) -> Iterator[Answer]:
    """Who got as far as a verdict answers most questions, the skilled more of them right."""
    if last.verdict is Verdict.REJECTED or random.random() < 0.1:
        return
    for place, variant in enumerate(
        bank_for(bank, last.assignment).variants(drawn_for(user, last.assignment), NO_FACTS)
    ):
        ease = 0.85 - 0.6 * ((place * 7) % 11) / 11
        is_right = random.random() < 0.6 * skill + 0.6 * ease
        given = variant.right if is_right or not variant.wrong else random.choice(variant.wrong)
        if given is None or isinstance(variant, LineVariant) or random.random() < 0.06:
            continue
        at = last.created_at + timedelta(minutes=2 + 2 * place)
        mark = variant.mark(given).model_dump(mode="json")
        yield Answer(submission_id=last.id, question=variant.view.id, given=given, mark=mark, given_at=at)
