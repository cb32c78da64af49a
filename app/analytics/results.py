"""How each student stands in assignments: one row for each who submitted, made by the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import CTE, ColumnElement, Float, and_, case, func, select, true
from sqlalchemy.orm import Session

from app.analytics.scope import Scope
from app.courses.access import is_student_of
from app.models import Assignment, Course, Enrollment, State, Submission, User
from grader.report import Verdict


@dataclass(frozen=True)
class StudentResult:
    """A student's graded submissions to an assignment. `best` is the first submission that reached the best score."""

    assignment_id: str
    student: str
    full_name: str | None
    attempts: int
    attempts_to_pass: int | None
    attempts_since_best: int
    score: float  # from 0 to 1
    best: str
    last: str
    last_at: datetime

    @property
    def has_passed(self) -> bool:
        """Whether one of the submissions passed."""
        return self.attempts_to_pass is not None


class BriefResult(NamedTuple):
    """The part of a student's result that figures about the whole class need."""

    score: float  # from 0 to 1
    attempts_to_pass: int | None


def brief_results(session: Session, scope: Scope) -> list[BriefResult]:
    """Returns the outcome of each student who submitted, in no order."""
    sent = _sent([scope.assignment])
    people = (
        select(sent.c.user_id, func.max(sent.c.share).label("share"), func.min(sent.c.passing).label("first_pass"))
        .group_by(sent.c.user_id)
        .cte("people")
    )
    passes = (
        select(sent.c.user_id, func.count().label("attempts"))
        .join(people, people.c.user_id == sent.c.user_id)
        .where(sent.c.id <= people.c.first_pass)
        .group_by(sent.c.user_id)
        .cte("passes")
    )
    query = (
        select(people.c.share, passes.c.attempts)
        .join(Enrollment, Enrollment.user_id == people.c.user_id)
        .outerjoin(passes, passes.c.user_id == people.c.user_id)
        .where(is_student_of(scope.course))
    )
    return [BriefResult(*row) for row in session.execute(query)]


def student_results(
    session: Session, course: Course, assignments: Sequence[Assignment], *, attempts_min: int = 1, passed: bool = True
) -> list[StudentResult]:
    """Returns the result of each student who submitted, by name, in each of these assignments of the course: of those
    with fewer attempts than `attempts_min` none, and without `passed` none of those who passed. Ids grow with time, so
    the smallest id is the first submission.
    """
    sent = _sent(assignments)
    people = _people(sent, attempts_min, passed=passed)
    firsts = _firsts(sent, people)
    since = _since(sent, firsts)
    query = (
        select(
            people.c.assignment_id,
            User.name,
            Enrollment.full_name,
            people.c.attempts,
            func.nullif(firsts.c.to_pass, 0),
            since.c.best,
            people.c.share,
            firsts.c.best,
            people.c.last,
            people.c.last_at,
        )
        .join(people, people.c.user_id == User.id)
        .join(firsts, _same_place(people, firsts))
        .join(since, _same_place(people, since))
        .join(Enrollment, Enrollment.user_id == User.id)
        .where(is_student_of(course))
        .order_by(User.name)
    )
    return [StudentResult(*row) for row in session.execute(query)]


def _people(sent: CTE, attempts_min: int, *, passed: bool) -> CTE:
    first_pass = func.min(sent.c.passing)
    return (
        select(
            *_place(sent),
            func.count().label("attempts"),
            func.max(sent.c.share).label("share"),
            first_pass.label("first_pass"),
            func.max(sent.c.id).label("last"),
            func.max(sent.c.created_at).label("last_at"),
        )
        .group_by(*_place(sent))
        .having(func.count() >= attempts_min, true() if passed else first_pass.is_(None))
        .cte("people")
    )


def _firsts(sent: CTE, people: CTE) -> CTE:
    return (
        select(
            *_place(sent),
            func.min(case((sent.c.share == people.c.share, sent.c.id))).label("best"),
            func.sum(case((sent.c.id <= people.c.first_pass, 1), else_=0)).label("to_pass"),
        )
        .join(people, _same_place(sent, people))
        .group_by(*_place(sent))
        .cte("firsts")
    )


def _since(sent: CTE, firsts: CTE) -> CTE:
    return (
        select(*_place(sent), func.sum(case((sent.c.id > firsts.c.best, 1), else_=0)).label("best"))
        .join(firsts, _same_place(sent, firsts))
        .group_by(*_place(sent))
        .cte("since")
    )


def _place(one: CTE) -> tuple[ColumnElement[str], ColumnElement[str]]:
    return one.c.assignment_id, one.c.user_id


def _same_place(one: CTE, other: CTE) -> ColumnElement[bool]:
    return and_(one.c.assignment_id == other.c.assignment_id, one.c.user_id == other.c.user_id)


def _sent(assignments: Sequence[Assignment]) -> CTE:
    """What is graded. Who is a student is asked for each person at the end, not for each submission here."""
    passed = Submission.verdict == Verdict.PASSED
    share = Submission.score / func.nullif(Submission.max_score, 0.0, type_=Float)
    ids = [each.id for each in assignments]
    return (
        select(
            Submission.id,
            Submission.assignment_id,
            Submission.user_id,
            Submission.created_at,
            func.coalesce(share, 0.0).label("share"),
            case((passed, Submission.id)).label("passing"),
        )
        .where(Submission.assignment_id.in_(ids), Submission.state == State.GRADED)
        .cte("sent")
    )
