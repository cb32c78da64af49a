"""How many attempts a student has made and has left.

What failed through our fault is cancelled, what was replaced before its turn is superseded: neither was an attempt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, and_, func, select, true
from sqlalchemy.orm import Session

from app.models import Assignment, State, Submission, User

HOUR: Final = timedelta(hours=1)
WITHDRAWN: Final = (State.CANCELLED, State.SUPERSEDED)


@dataclass(frozen=True)
class Attempts:
    """`left` is None where there is no limit; `again_at` is when the hour's limit lets the next one in."""

    used: int
    left: int | None
    again_at: datetime | None


def attempts_at(
    session: Session, user: User, assignment: Assignment, moment: datetime, besides: Submission | None = None
) -> Attempts:
    """Those of `user`, without the one that has just been added, if there is one."""
    mine = and_(
        Submission.user_id == user.id,
        Submission.assignment_id == assignment.id,
        Submission.state.not_in(WITHDRAWN),
        Submission.id != besides.id if besides else true(),
    )
    return _attempts(session, mine, assignment, moment, session.scalar(select(func.count()).where(mine)) or 0)


def attempts_in(
    session: Session, user: User, assignments: Sequence[Assignment], moment: datetime
) -> dict[str, Attempts]:
    """The same for many assignments, by id."""
    mine = and_(Submission.user_id == user.id, Submission.state.not_in(WITHDRAWN))
    counted = (
        select(Submission.assignment_id, func.count())
        .where(mine, Submission.assignment_id.in_([each.id for each in assignments]))
        .group_by(Submission.assignment_id)
    )
    used = dict(session.execute(counted).all())
    return {
        each.id: _attempts(session, and_(mine, Submission.assignment_id == each.id), each, moment, used.get(each.id, 0))
        for each in assignments
    }


def _attempts(
    session: Session, mine: ColumnElement[bool], assignment: Assignment, moment: datetime, used: int
) -> Attempts:
    left = None if assignment.attempts_max is None else max(0, assignment.attempts_max - used)
    return Attempts(used, left, _again_at(session, mine, assignment, moment))


def _again_at(session: Session, mine: ColumnElement[bool], assignment: Assignment, moment: datetime) -> datetime | None:
    if assignment.attempts_per_hour is None:
        return None
    oldest = session.scalars(
        select(Submission.created_at)
        .where(mine, Submission.created_at > moment - HOUR)
        .order_by(Submission.created_at.desc())
        .offset(assignment.attempts_per_hour - 1)
        .limit(1)
    ).first()
    return None if oldest is None else oldest + HOUR
