"""Requeues what was lost or failed, and tells the operator when it gives up."""

from enum import StrEnum

import structlog

from app.broker import BrokerDown
from app.database import Database
from app.jobs.kind import Kind, Office
from app.jobs.telling import tell
from app.jobs.transitions import requeue
from app.models import Job, JobState

logger = structlog.get_logger(part="jobs")


class Reason(StrEnum):
    """Why a job is requeued."""

    LOST_MESSAGE = "lost_message"  # dispatched, but no message waits for a judge
    LOST_JUDGE = "lost_judge"  # running, but its judge's lease has run out
    FAULT = "fault"  # a judge reported a fault


def requeue_or_give_up(
    database: Database, office: Office, kind: Kind, seen: Job, reason: Reason, detail: str = ""
) -> bool:
    """Requeues the job, or gives it up after too many tries. Returns False, and changes nothing, when another process
    has changed the job since it was seen.
    """
    with database.write() as session:
        state = requeue(session, office.settings, seen, detail or reason)
        if state is None:
            return False
        job = session.get_one(Job, seen.id)
        is_given_up = state is JobState.GIVEN_UP
        events = kind.given_up(session, job) if is_given_up else kind.requeued(session, job)
        if not is_given_up:
            _reopen(office, job)
    told = {
        "kind": job.kind, "job": job.id, "submission_id": job.submission_id,
        "reason": reason, "detail": detail, "tries": job.tries,
    }  # fmt: skip
    if is_given_up:
        office.metrics.given_up.labels(job.kind).inc()
        logger.error("job_given_up", **told)
    else:
        office.metrics.requeues.labels(reason).inc()
        logger.warning("job_requeued", **told)
    tell(office.broker, job, events)
    return True


def _reopen(office: Office, job: Job) -> None:
    """Its student may have begun to withdraw it, in a process that died over it. While the row is locked here, nobody
    does.
    """
    try:
        office.broker.reopen(job.id)
    except BrokerDown as error:  # then judges leave it alone, and it is missed once more
        logger.warning("withdrawal_not_undone", job=job.id, reason=str(error))
