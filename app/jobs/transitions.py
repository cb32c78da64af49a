"""The steps of a job's life. Each is one conditional UPDATE, so that of several who try the same, one succeeds."""

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, or_, update
from sqlalchemy.orm import Session

from app.broker import MEASUREMENTS, REGRADES, STUDENTS
from app.models import OPEN_JOB_STATES, Job, JobState, now
from app.rows import changed_rows
from app.settings import RecorderSettings
from grader.messages import CHECK_QUEUE, EXERCISES_QUEUE, GRADE_CPU_QUEUE, GRADE_GPU_QUEUE, JobKind

_QUEUES: Final = {
    JobKind.SUBMISSION: (GRADE_CPU_QUEUE, STUDENTS),
    JobKind.REGRADE: (GRADE_CPU_QUEUE, REGRADES),
    JobKind.GPU: (GRADE_GPU_QUEUE, STUDENTS),
    JobKind.CHECK: (CHECK_QUEUE, STUDENTS),
    JobKind.MEASURE: (GRADE_CPU_QUEUE, MEASUREMENTS),
    JobKind.EXERCISES: (EXERCISES_QUEUE, STUDENTS),
}


def new_job(kind: JobKind, submission_id: str | None, **known: Any) -> Job:
    """Returns a new job that waits to be dispatched."""
    queue, priority = _QUEUES[kind]
    return Job(kind=kind, submission_id=submission_id, queue=queue, priority=priority, **known)


def open_job(session: Session, kind: JobKind, submission_id: str | None, **known: Any) -> Job:
    """Adds a new job that waits to be dispatched, and has an id."""
    job = new_job(kind, submission_id, **known)
    session.add(job)
    session.flush()
    return job


def is_due(moment: datetime) -> ColumnElement[bool]:
    """A condition on jobs: they may be dispatched now."""
    return and_(Job.state == JobState.WAITING, or_(Job.not_before.is_(None), Job.not_before <= moment))


def dispatch(session: Session, job_id: str, moment: datetime) -> bool:
    """Marks a waiting job as dispatched. Returns True to the one caller that is to send the message."""
    return _change(session, job_id, is_due(moment), state=JobState.DISPATCHED, dispatched_at=moment)


def undo_dispatch(session: Session, job_id: str, moment: datetime) -> bool:
    """Makes a job wait again when the message of that moment could not be sent."""
    seen = and_(Job.state == JobState.DISPATCHED, Job.dispatched_at == moment)
    return _change(session, job_id, seen, state=JobState.WAITING, dispatched_at=None)


def start(session: Session, job_id: str, worker: str, moment: datetime) -> bool:
    """Marks a job as begun by a judge. Returns False when it has reached a terminal state or runs already."""
    not_begun = Job.state.in_((JobState.WAITING, JobState.DISPATCHED))
    return _change(
        session, job_id, not_begun, state=JobState.RUNNING, started_at=moment, worker=worker[:255], fault=None
    )


def finish(session: Session, job_id: str) -> bool:
    """Marks a job as done. Returns False when it has reached a terminal state before, so that the
    first result counts.
    """
    return _change(session, job_id, _is_open(), state=JobState.DONE, fault=None, not_before=None)


def requeue(session: Session, settings: RecorderSettings, seen: Job, fault: str) -> JobState | None:
    """Makes a job wait again, longer each time, or gives it up after the cap, and keeps the fault.

    Returns the new state; None when another process has changed the row since it was seen.
    """
    then = JobState.GIVEN_UP if seen.tries >= settings.requeues_max else JobState.WAITING
    is_as_seen = and_(Job.state == seen.state, Job.tries == seen.tries, _is_open())
    values = {"dispatched_at": None, "started_at": None, "fault": fault, "tries": seen.tries + 1}
    not_before = now() + pause(settings, seen.tries)
    return then if _change(session, seen.id, is_as_seen, state=then, not_before=not_before, **values) else None


def withdraw(session: Session, which: ColumnElement[bool]) -> None:
    """Withdraws the open ones of these jobs. Results that judges still send are not recorded."""
    withdrawn = update(Job).where(which, _is_open()).values(state=JobState.WITHDRAWN, fault=None)
    session.execute(withdrawn.execution_options(synchronize_session=False))


def pause(settings: RecorderSettings, tries: int) -> timedelta:
    """Returns how long a job waits before it is dispatched again: the first time not at all, then doubling, up to the
    cap.
    """
    if tries == 0:
        return timedelta()
    return timedelta(seconds=min(settings.requeue_base_s * 2 ** min(tries - 1, 20), settings.requeue_cap_s))


def _is_open() -> ColumnElement[bool]:
    return Job.state.in_(OPEN_JOB_STATES)


def _change(session: Session, job_id: str, seen: ColumnElement[bool], **values: Any) -> bool:
    return changed_rows(session, update(Job).where(Job.id == job_id, seen).values(**values)) == 1
