"""Tells those who watch a submission what became of its job, and every judge that nobody waits for it any more."""

from collections.abc import Iterable

import structlog

from app.broker import Broker, BrokerDown
from app.jobs.kind import Event
from app.models import Job

logger = structlog.get_logger(part="jobs")


def tell(broker: Broker, job: Job, events: Iterable[Event]) -> None:
    """Sends a job's events to those who watch its submission, and its terminal state to the judges. Without Redis it
    only logs: watchers then read the row.
    """
    try:
        if not job.state.is_open:
            broker.mark_terminal(job.id, job.state)
        if job.submission_id is not None:
            for name, data in events:
                broker.tell(job.submission_id, name, data)
    except BrokerDown as error:
        logger.warning("progress_not_told", job=job.id, kind=job.kind, reason=str(error))
