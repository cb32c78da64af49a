"""Finds lost jobs: dispatched or running, but no judge has a lease and no message is in the queue."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from app.broker import Broker
from app.models import Job, JobState
from grader.messages import EXERCISES_RECORD_QUEUE, RECORD_QUEUE

BATCH = 500

Sending = tuple[str, datetime | None]  # a job that was requeued meanwhile is not missing yet


class Missing:
    """Finds jobs whose message or judge is lost. Called regularly, since it remembers since when
    each has been missing.
    """

    def __init__(self, broker: Broker, patience_s: float, clock: Callable[[], float]) -> None:
        self._broker = broker
        self._patience_s = patience_s
        self._clock = clock
        self._since: dict[Sending, float] = {}

    def candidates(self, session: Session) -> Sequence[Job]:
        """Returns the jobs that were dispatched long enough ago to be missed. To be read before Redis is asked."""
        long_ago = datetime.fromtimestamp(self._clock() - self._patience_s, UTC)
        was_sent = and_(Job.state == JobState.DISPATCHED, Job.dispatched_at < long_ago)
        query = select(Job).where(or_(Job.state == JobState.RUNNING, was_sent)).order_by(Job.dispatched_at).limit(BATCH)
        return session.scalars(query).all()

    def lost(self, sent: Sequence[Job]) -> list[Job]:
        """Returns the jobs that have been missing for long enough, with every message read that was sent before they
        were.

        Raises BrokerDown.
        """
        leased = self._broker.leased([job.id for job in sent])
        lists = {(job.queue, job.priority) for job in sent}
        heads = {each: self._broker.oldest_waiting(*each) for each in lists}
        missing = [
            job for job in sent if job.id not in leased and not self._may_wait(job, heads[job.queue, job.priority])
        ]
        moment = self._clock()
        self._since = {_sending(job): self._since.get(_sending(job), moment) for job in missing}
        unread = (self._broker.oldest_waiting(queue) for queue in (RECORD_QUEUE, EXERCISES_RECORD_QUEUE))
        until = min((moment - self._patience_s, *(head for head in unread if head is not None)))
        lost = [job for job in missing if self._since[_sending(job)] <= until]
        for job in lost:
            del self._since[_sending(job)]
        return lost

    def _may_wait(self, job: Job, head: float | None) -> bool:
        """Whether its message may stand in the queue, which is first in, first out: not well before the head's."""
        if job.state is JobState.RUNNING or job.dispatched_at is None or head is None:
            return False
        return job.dispatched_at.timestamp() >= head - self._patience_s


def _sending(job: Job) -> Sending:
    return job.id, job.dispatched_at
