"""Finding submissions again: one, a page of them, and how one is getting on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Query
from sqlalchemy import and_, or_, select

from app.database import Database
from app.events import SubmissionProgress, progress_of
from app.models import State, Submission, SubmissionKind, User, now
from app.queue.positions import Positions
from app.request_values import Short, check_cursor
from app.rows import newest_first
from app.submissions.access import Access, find, visible_to
from app.submissions.feedback import is_told_as, told_state
from app.submissions.schemas import ITEM, queue_view

PAGE_MAX: Final = 100


@dataclass(frozen=True)
class Filter:
    """Which submissions to list. `cursor` is what the page before gave."""

    challenge: Short = None
    student: Short = None
    state: State | None = None
    kind: SubmissionKind | None = None
    cursor: Short = None
    limit: Annotated[int, Query(ge=1, le=PAGE_MAX)] = 20


@dataclass(frozen=True)
class Page:
    """Submissions, newest first, and where the next page begins."""

    items: Sequence[Submission]
    next_cursor: str | None


def read(database: Database, user: User, submission_id: str) -> Access:
    """Returns a submission that the person may see. Raises NotFound."""
    with database.read() as session:
        return find(session, user, submission_id)


def list_page(database: Database, user: User, wanted: Filter) -> Page:
    """Returns a page of the submissions that fit the filter and that this person may see. Raises Unprocessable when the
    cursor is not ours.
    """
    query = select(Submission).options(*ITEM).where(visible_to(user))
    if wanted.challenge is not None:
        query = query.where(Submission.challenge == wanted.challenge)
    if wanted.student is not None:
        query = query.where(Submission.user.has(User.name == wanted.student))
    if wanted.state is not None:
        as_student = and_(Submission.user_id == user.id, is_told_as(wanted.state, now()))
        query = query.where(or_(as_student, and_(Submission.user_id != user.id, Submission.state == wanted.state)))
    if wanted.kind is not None:
        query = query.where(Submission.kind == wanted.kind)
    check_cursor(wanted.cursor)
    with database.read() as session:
        return Page(*newest_first(session, query, Submission.id, wanted.cursor, wanted.limit))


def progress(
    database: Database, positions: Positions, submission_id: str, *, is_held: bool = False
) -> SubmissionProgress:
    """Returns a submission's progress as its row, and the queue, tell it; `is_held`: as its student is told it."""
    with database.read() as session:
        row = session.scalars(select(Submission).options(*ITEM).where(Submission.id == submission_id)).one()
        state = told_state(row, now()) if is_held else row.state
        report = row.report if state.is_final else None
    queue = queue_view(positions, row, as_staff=True) if state is State.QUEUED else None
    return progress_of(row, state, report, queue.model_dump(mode="json") if queue and queue.position else None)
