"""How many attempts a student has made and has left.

A submission that failed through our fault is cancelled, one replaced while it waited is superseded: neither counts. Nor
do files that could not be graded, unless the assignment says so; but for those of somebody who sends them by the dozen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, and_, case, func, select, true
from sqlalchemy.orm import Session

from app.assignments.terms import PersonalTerms
from app.models import Assignment, State, Submission, User
from grader.report import Verdict

HOUR: Final = timedelta(hours=1)
WITHDRAWN: Final = (State.CANCELLED, State.SUPERSEDED)
FREE_REJECTIONS: Final = 20  # of one person, for one assignment
_COUNTS: Final = (func.count(), func.sum(case((Submission.verdict == Verdict.REJECTED, 1), else_=0)))


@dataclass(frozen=True)
class Attempts:
    """How many attempts a person has used. `left` is None where there is no limit; `again_at` is when the hourly limit
    allows the next.
    """

    used: int
    left: int | None
    again_at: datetime | None


def attempts_at(
    session: Session, user: User, terms: PersonalTerms, moment: datetime, besides: Submission | None = None
) -> Attempts:
    """Returns the attempts of `user` at the assignment, leaving out the submission `besides`, if given."""
    mine = and_(
        Submission.user_id == user.id,
        Submission.assignment_id == terms.assignment.id,
        Submission.state.not_in(WITHDRAWN),
        Submission.id != besides.id if besides else true(),
    )
    sent, rejected = session.execute(select(*_COUNTS).where(mine)).one()
    return _attempts(session, mine, terms, moment, sent, rejected or 0)


def attempts_in(session: Session, user: User, asked: Sequence[PersonalTerms], moment: datetime) -> dict[str, Attempts]:
    """Returns a person's attempts at each of many assignments, by id."""
    mine = and_(Submission.user_id == user.id, Submission.state.not_in(WITHDRAWN))
    counted = (
        select(Submission.assignment_id, *_COUNTS)
        .where(mine, Submission.assignment_id.in_([each.assignment.id for each in asked]))
        .group_by(Submission.assignment_id)
    )
    counts = {found: (sent, rejected or 0) for found, sent, rejected in session.execute(counted).all()}
    return {
        each.assignment.id: _attempts(
            session,
            and_(mine, Submission.assignment_id == each.assignment.id),
            each,
            moment,
            *counts.get(each.assignment.id, (0, 0)),
        )
        for each in asked
    }


def _attempts(
    session: Session, mine: ColumnElement[bool], terms: PersonalTerms, moment: datetime, sent: int, rejected: int
) -> Attempts:
    used = sent if terms.assignment.charges_rejected else sent - min(rejected, FREE_REJECTIONS)
    left = None if terms.attempts_max is None else max(0, terms.attempts_max - used)
    return Attempts(used, left, _again_at(session, mine, terms.assignment, moment))


def _again_at(session: Session, mine: ColumnElement[bool], assignment: Assignment, moment: datetime) -> datetime | None:
    if assignment.attempts_per_hour is None:
        return None
    if not assignment.charges_rejected:
        mine = and_(mine, Submission.verdict.is_distinct_from(Verdict.REJECTED))
    oldest = session.scalars(
        select(Submission.created_at)
        .where(mine, Submission.created_at > moment - HOUR)
        .order_by(Submission.created_at.desc())
        .offset(assignment.attempts_per_hour - 1)
        .limit(1)
    ).first()
    return None if oldest is None else oldest + HOUR
