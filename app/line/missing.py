"""What was sent and has gone missing: no judge holds it, and it does not stand in the queue any more."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from app.broker import STUDENTS, Broker
from app.models import now
from grader.messages import RECORD_QUEUE


@dataclass(frozen=True)
class Sent:
    """A job that was given to judges. `queued_at` is None for one that a judge has told to have begun."""

    job: str
    queue: str
    queued_at: datetime | None


S = TypeVar("S", bound=Sent)


class Missing(Generic[S]):
    """Remembers since when. One for each kind of job, asked regularly."""

    def __init__(self, broker: Broker, patience_s: float, priority: int = STUDENTS) -> None:
        self._broker = broker
        self._priority = priority
        self._patience_s = patience_s
        self._since: dict[str, float] = {}

    @property
    def sent_before(self) -> datetime:
        """What was sent later cannot be missing yet."""
        return now() - timedelta(seconds=self._patience_s)

    def lost(self, sent: Sequence[S]) -> list[S]:
        """Those that have been missing for long enough, now that all is read that was told before they were missed.

        Raises BrokerDown.
        """
        leased = self._broker.leased([item.job for item in sent])
        heads = {queue: self._broker.oldest_waiting(queue, self._priority) for queue in {item.queue for item in sent}}
        missing = [item for item in sent if item.job not in leased and not self._may_wait(item, heads[item.queue])]
        moment = time.time()
        self._since = {item.job: self._since.get(item.job, moment) for item in missing}
        unread = self._broker.oldest_waiting(RECORD_QUEUE)
        until = min(moment - self._patience_s, moment if unread is None else unread)
        lost = [item for item in missing if self._since[item.job] <= until]
        for item in lost:
            del self._since[item.job]
        return lost

    def _may_wait(self, item: Sent, head: float | None) -> bool:
        """Whether its message may stand in the queue, which is first in, first out: not well before the head's."""
        if item.queued_at is None or head is None:
            return False
        return item.queued_at.timestamp() >= head - self._patience_s
