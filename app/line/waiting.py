"""Who waits and who was served last, read from the rows."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from app.line.order import Turns, Waiting, fair_order
from app.models import Assignment, State, Submission

REMEMBERED: Final = timedelta(minutes=10)


def in_line(moment: datetime) -> ColumnElement[bool]:
    """A condition on submissions: theirs is a place in line."""
    return and_(
        Submission.state == State.QUEUED,
        Submission.queued_at.is_(None),
        or_(Submission.requeue_at.is_(None), Submission.requeue_at <= moment),
    )


def sent() -> ColumnElement[bool]:
    """A condition on submissions: a message was sent, and no judge has taken it yet."""
    return and_(Submission.state == State.QUEUED, Submission.queued_at.is_not(None))


def line(session: Session, moment: datetime) -> list[str]:
    """The ids of those who wait, in the order in which they are to be sent."""
    query = (
        select(Submission.id, Submission.user_id, Assignment.course_id, Assignment.due_at, Submission.waiting_since)
        .outerjoin(Assignment)
        .where(in_line(moment))
    )
    waiting = [Waiting(*row) for row in session.execute(query)]
    if len(waiting) <= 1:
        return [item.id for item in waiting]
    oldest = min(item.since for item in waiting)
    return fair_order(waiting, _turns(session, max(oldest, moment - REMEMBERED)), moment)


def _turns(session: Session, since: datetime) -> Turns:
    """Who had a turn since then. Earlier ones cost nobody anything: no one was waiting behind them."""
    query = (
        select(Submission.user_id, Assignment.course_id, func.max(Submission.queued_at))
        .outerjoin(Assignment)
        .where(Submission.queued_at >= since)
        .group_by(Submission.user_id, Assignment.course_id)
    )
    students: dict[tuple[str | None, str], datetime] = {}
    courses: dict[str | None, datetime] = {}
    for student, course, turn in session.execute(query):
        assert turn is not None  # the condition is on it
        students[course, student] = turn
        courses[course] = max(turn, courses.get(course, turn))
    return Turns(students, courses)
