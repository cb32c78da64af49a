"""The steps of a submission's life that write no report. Each changes the row only if it still is what it was."""

from datetime import datetime, timedelta
from typing import Any, Protocol, cast

from sqlalchemy import CursorResult, Update, update
from sqlalchemy.orm import Session

from app.models import State, Submission, now


class RequeuePauses(Protocol):
    """The settings that say how often and how soon something is graded once more."""

    @property
    def requeue_base_s(self) -> float: ...
    @property
    def requeue_cap_s(self) -> float: ...
    @property
    def requeues_max(self) -> int: ...


def applies_to(session: Session, statement: Update) -> bool:
    """Whether the conditional update found its row."""
    return cast(CursorResult[Any], session.execute(statement)).rowcount == 1


def take_out_of_line(session: Session, submission_id: str, moment: datetime) -> bool:
    """Its turn has come; whoever gets True sends the message."""
    return applies_to(
        session,
        update(Submission)
        .where(Submission.id == submission_id, Submission.state == State.QUEUED, Submission.queued_at.is_(None))
        .values(queued_at=moment),
    )


def return_to_line(session: Session, submission_id: str, moment: datetime) -> None:
    """The message of that moment could not be sent."""
    session.execute(
        update(Submission)
        .where(Submission.id == submission_id, Submission.state == State.QUEUED, Submission.queued_at == moment)
        .values(queued_at=None)
    )


def put_back(
    session: Session, pauses: RequeuePauses, submission_id: str, state: State, requeues: int, fault: str
) -> State | None:
    """Into the line once more, later each time; after the cap it is cancelled. The fault is kept with it.

    Returns the new state; None when the row is no longer in the one that was seen.
    """
    fate = State.CANCELLED if requeues >= pauses.requeues_max else State.QUEUED
    values: dict[str, Any] = {"state": fate, "queued_at": None, "started_at": None, "fault": fault}
    values |= {"requeues": requeues + 1, "requeue_at": now() + pause(pauses, requeues)}
    seen = (Submission.id == submission_id, Submission.state == state, Submission.requeues == requeues)
    return fate if applies_to(session, update(Submission).where(*seen).values(**values)) else None


def pause(pauses: RequeuePauses, requeues: int) -> timedelta:
    """How long a submission stays away from the line: the first time not at all, then doubling, up to the cap."""
    if requeues == 0:
        return timedelta()
    return timedelta(seconds=min(pauses.requeue_base_s * 2 ** min(requeues - 1, 20), pauses.requeue_cap_s))
