"""How each student stands in an assignment: one row for each who submitted, made by the database."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import CTE, Float, case, func, select
from sqlalchemy.orm import Session

from app.analytics.scope import Scope
from app.courses.access import is_student_of
from app.models import Enrollment, State, Submission, User
from grader.report import Verdict


@dataclass(frozen=True)
class StudentResult:
    """A student's graded submissions to an assignment. `best` is the first submission that reached the best score."""

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


class Outcome(NamedTuple):
    """The part of a student's result that figures about the whole class need."""

    score: float  # from 0 to 1
    attempts_to_pass: int | None


def outcomes(session: Session, scope: Scope) -> list[Outcome]:
    """Returns the outcome of each student who submitted, in no order."""
    sent = _sent(scope)
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
    return [Outcome(*row) for row in session.execute(query)]


def student_results(session: Session, scope: Scope) -> list[StudentResult]:
    """Returns the result of each student who submitted, by name. Ids grow with time, so the smallest id is the first
    submission.
    """
    sent = _sent(scope)
    people = (
        select(
            sent.c.user_id,
            func.count().label("attempts"),
            func.max(sent.c.share).label("share"),
            func.min(sent.c.passing).label("first_pass"),
            func.max(sent.c.id).label("last"),
            func.max(sent.c.created_at).label("last_at"),
        )
        .group_by(sent.c.user_id)
        .cte("people")
    )
    firsts = (
        select(
            sent.c.user_id,
            func.min(case((sent.c.share == people.c.share, sent.c.id))).label("best"),
            func.sum(case((sent.c.id <= people.c.first_pass, 1), else_=0)).label("to_pass"),
        )
        .join(people, people.c.user_id == sent.c.user_id)
        .group_by(sent.c.user_id)
        .cte("firsts")
    )
    since = (
        select(sent.c.user_id, func.sum(case((sent.c.id > firsts.c.best, 1), else_=0)).label("best"))
        .join(firsts, firsts.c.user_id == sent.c.user_id)
        .group_by(sent.c.user_id)
        .cte("since")
    )
    query = (
        select(
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
        .join(firsts, firsts.c.user_id == User.id)
        .join(since, since.c.user_id == User.id)
        .join(Enrollment, Enrollment.user_id == User.id)
        .where(is_student_of(scope.course))
        .order_by(User.name)
    )
    return [StudentResult(*row) for row in session.execute(query)]


def _sent(scope: Scope) -> CTE:
    """What is graded. Who is a student is asked for each person at the end, not for each submission here."""
    passed = Submission.verdict == Verdict.PASSED
    share = Submission.score / func.nullif(Submission.max_score, 0.0, type_=Float)
    return (
        select(
            Submission.id,
            Submission.user_id,
            Submission.created_at,
            func.coalesce(share, 0.0).label("share"),
            case((passed, Submission.id)).label("passing"),
        )
        .where(Submission.assignment_id == scope.assignment.id, Submission.state == State.GRADED)
        .cte("sent")
    )
