"""Puts lost submissions back into the line, and sends who is next. The rows are the truth: whatever is sent or running,
not leased and not waiting, is lost.
"""

import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import and_, or_, select

from app.broker import Broker, BrokerDown
from app.database import DATABASE_FAULTS, Database
from app.line.dispatch import QUEUES, Dispatcher
from app.line.requeue import Reason, Requeue
from app.metrics import RecorderMetrics
from app.models import State, Submission, now
from app.settings import RecorderSettings
from grader.messages import RECORD_QUEUE

BATCH: Final = 500
logger = structlog.get_logger(part="sweeper")


@dataclass(frozen=True)
class Candidate:
    """A submission that was sent to a judge and may be lost."""

    id: str
    state: State
    queue: str
    queued_at: datetime | None
    requeues: int


class Sweeper:
    """One for each recorder. Several may run at the same time: a conditional update lets one of them win."""

    def __init__(
        self, settings: RecorderSettings, database: Database, broker: Broker, metrics: RecorderMetrics
    ) -> None:
        self._settings = settings
        self._database = database
        self._broker = broker
        self._requeue = Requeue(settings, database, broker, metrics)
        self._dispatcher = Dispatcher(database, broker, settings.queue_ahead)
        self._missing_since: dict[str, float] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="sweeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=5)

    def sweep(self) -> int:
        """Look once; returns how many were put back. Raises BrokerDown, and the database's faults."""
        count = sum(self._put_back(candidate) for candidate in self._lost(self._candidates()))
        for queue in QUEUES:
            self._dispatcher.send(queue)
        return count

    def _loop(self) -> None:
        is_working = True
        while not self._stop.wait(self._settings.sweep_every_s):
            try:
                self.sweep()
            except (BrokerDown, *DATABASE_FAULTS) as error:
                if is_working:
                    logger.error("sweep_failed", reason=str(error).partition("\n")[0])
                is_working = False
            except Exception as error:
                logger.error("sweep_failed", exc_info=error)
            else:
                is_working = True

    def _candidates(self) -> list[Candidate]:
        long_ago = now() - timedelta(seconds=self._settings.lost_after_s)
        was_sent = and_(Submission.state == State.QUEUED, Submission.queued_at < long_ago)
        columns = (Submission.id, Submission.state, Submission.queue, Submission.queued_at, Submission.requeues)
        query = (
            select(*columns)
            .where(or_(Submission.state == State.RUNNING, was_sent))
            .order_by(Submission.queued_at)
            .limit(BATCH)
        )
        with self._database.read() as session:
            return [Candidate(*row) for row in session.execute(query)]

    def _lost(self, candidates: list[Candidate]) -> list[Candidate]:
        """Those that have been missing for long enough, now that all is read that was told before they were missed."""
        leased = self._broker.leased([candidate.id for candidate in candidates])
        heads = {queue: self._broker.oldest_waiting(queue) for queue in QUEUES}
        missing = [item for item in candidates if item.id not in leased and not self._may_wait(item, heads[item.queue])]
        moment = time.time()
        self._missing_since = {item.id: self._missing_since.get(item.id, moment) for item in missing}
        unread = self._broker.oldest_waiting(RECORD_QUEUE)
        until = min(moment - self._settings.lost_after_s, moment if unread is None else unread)
        return [item for item in missing if self._missing_since[item.id] <= until]

    def _may_wait(self, candidate: Candidate, head: float | None) -> bool:
        """Whether its message may stand in the queue, which is first in, first out: not well before the head's."""
        if candidate.state is State.RUNNING or candidate.queued_at is None or head is None:
            return False
        return candidate.queued_at.timestamp() >= head - self._settings.lost_after_s

    def _put_back(self, seen: Candidate) -> bool:
        reason = Reason.LOST_JUDGE if seen.state is State.RUNNING else Reason.LOST_MESSAGE
        self._missing_since.pop(seen.id, None)
        return self._requeue.put_back(seen.id, seen.state, seen.requeues, reason)
