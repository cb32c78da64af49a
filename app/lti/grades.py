"""Which points platforms should have: compared with the gradebook again and again, and noted where they differ.

What is noted stays until it is sent, and only the newest: a row for each student and assignment, whose version grows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import CursorResult, Select, or_, select, update
from sqlalchemy.orm import Session, joinedload

from app.accounts.service import console
from app.assignments.schedule import holds_grades
from app.challenges.service import Catalogue
from app.database import Database
from app.gradebook.book import gradebook, points_max
from app.models import Identity, LtiContext, LtiScore, now

LOOKED_AT_EVERY: Final = timedelta(seconds=60)


@dataclass(frozen=True)
class ReleasedScore:
    """A student's points in an assignment as they may be told; None where there are none."""

    assignment_id: str
    user_id: str
    points: float | None
    points_max: float


def released_scores(database: Database, catalogue: Catalogue, course: str) -> list[ReleasedScore]:
    """Returns the late-adjusted points of all students of a course in all assignments; none where grades are held."""
    book = gradebook(database, catalogue, console(), course, None)
    return [
        ReleasedScore(
            row.assignment.id,
            row.student.id,
            None if holds_grades(row.assignment) else row.points,
            points_max(row.assignment),
        )
        for row in book.lines
    ]


def note_changes(database: Database, catalogue: Catalogue, *, is_due: bool = True) -> int:
    """Compares all connected courses that were not looked at for a while; returns how many scores have changed.

    Of several front ends, one takes each course.
    """
    with database.read() as session:
        ids = session.scalars(_to_look_at(is_due)).all()
    return sum(_note_course(database, catalogue, each, is_due=is_due) for each in ids)


def _to_look_at(is_due: bool) -> Select[str]:
    moment = now() - LOOKED_AT_EVERY
    query = select(LtiContext.id).where(LtiContext.course_id.is_not(None), LtiContext.line_items_url.is_not(None))
    return query.where(or_(LtiContext.looked_at.is_(None), LtiContext.looked_at < moment)) if is_due else query


def _note_course(database: Database, catalogue: Catalogue, context_id: str, *, is_due: bool) -> int:
    with database.write() as session:
        mine = update(LtiContext).where(LtiContext.id.in_(_to_look_at(is_due)), LtiContext.id == context_id)
        taken = session.execute(mine.values(looked_at=now()))
        assert isinstance(taken, CursorResult)
        if not taken.rowcount:
            return 0
        context = session.get_one(LtiContext, context_id, options=[joinedload(LtiContext.course)])
        course = context.course
    if course is None:
        return 0
    scores = released_scores(database, catalogue, course.slug)
    with database.write() as session:
        return _note(session, context, scores)


def _note(session: Session, context: LtiContext, scores: Sequence[ReleasedScore]) -> int:
    """Students are told of by the identity that the platform gave them, so only of those who have one."""
    known = set(session.scalars(select(Identity.user_id).where(Identity.issuer == context.platform.issuer)))
    query = select(LtiScore).where(LtiScore.context_id == context.id)
    kept = {(row.assignment_id, row.user_id): row for row in session.scalars(query.with_for_update())}
    changed = 0
    for score in scores:
        row = kept.get((score.assignment_id, score.user_id))
        is_new = row is None and score.points is not None and score.user_id in known
        is_other = row is not None and (row.points, row.points_max) != (score.points, score.points_max)
        if is_new:
            session.add(
                LtiScore(
                    context_id=context.id,
                    assignment_id=score.assignment_id,
                    user_id=score.user_id,
                    points=score.points,
                    points_max=score.points_max,
                    next_try_at=now(),
                )
            )
        elif row is not None and is_other:
            row.points, row.points_max, row.version = score.points, score.points_max, row.version + 1
            row.tries, row.next_try_at, row.error, row.changed_at = 0, now(), None, now()
        changed += is_new or is_other
    return changed


def send_again(session: Session, context: LtiContext) -> int:
    """Puts all scores of the course up for sending at once, those too that were sent; returns how many."""
    again = update(LtiScore).where(LtiScore.context_id == context.id)
    found = session.execute(again.values(version=LtiScore.version + 1, tries=0, next_try_at=now(), error=None))
    assert isinstance(found, CursorResult)
    return found.rowcount
