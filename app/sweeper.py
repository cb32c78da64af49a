"""Puts lost submissions back into the line, and sends who is next. The rows are the truth: whatever is sent or running,
not leased and not waiting, is lost.
"""

import threading
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy import and_, or_, select

from app.broker import Broker, BrokerDown
from app.database import DATABASE_FAULTS, Database
from app.gpu.stages import GpuStages
from app.line.dispatch import Dispatcher
from app.line.missing import Missing, Sent
from app.line.requeue import Reason, Requeue
from app.metrics import RecorderMetrics
from app.models import State, Submission
from app.questions.checks import Checks
from app.regrades.jobs import RegradeJobs
from app.settings import RecorderSettings
from grader.alive import NOWHERE, Sign
from grader.messages import GRADE_CPU_QUEUE

BATCH: Final = 500
logger = structlog.get_logger(part="sweeper")


@dataclass(frozen=True)
class Candidate(Sent):
    """A submission that may be lost."""

    state: State
    requeues: int


class Sweeper:
    """One for each recorder. Several may run at the same time: a conditional update lets one of them win."""

    def __init__(
        self,
        settings: RecorderSettings,
        database: Database,
        broker: Broker,
        metrics: RecorderMetrics,
        sign: Sign = NOWHERE,
    ) -> None:
        self._settings = settings
        self._database = database
        self._sign = sign
        self._requeue = Requeue(settings, database, broker, metrics)
        self._dispatcher = Dispatcher(database, broker, settings.queue_ahead)
        self._missing: Missing[Candidate] = Missing(broker, settings.lost_after_s)
        self._regrades = RegradeJobs(settings, database, broker)
        self._checks = Checks(database, broker)
        self._gpu = GpuStages(settings, database, broker)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="sweeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=5)

    def sweep(self) -> int:
        """Look once; returns how many were put back or sent. Raises BrokerDown, and the database's faults."""
        count = sum(self._put_back(candidate) for candidate in self._missing.lost(self._candidates()))
        self._dispatcher.send()
        return count + self._regrades.sweep() + self._gpu.sweep() + self._checks.send()

    def _loop(self) -> None:
        is_working = True
        while not self._stop.wait(self._settings.sweep_every_s):
            self._sign.give()  # also while the database is away: to start this process again would mend nothing
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
        was_sent = and_(Submission.state == State.QUEUED, Submission.queued_at < self._missing.sent_before)
        query = (
            select(Submission)
            .where(or_(Submission.state == State.RUNNING, was_sent))
            .order_by(Submission.queued_at)
            .limit(BATCH)
        )
        with self._database.read() as session:
            return [_candidate(row) for row in session.scalars(query)]

    def _put_back(self, seen: Candidate) -> bool:
        reason = Reason.LOST_JUDGE if seen.state is State.RUNNING else Reason.LOST_MESSAGE
        return self._requeue.put_back(seen.job, seen.state, seen.requeues, reason)


def _candidate(row: Submission) -> Candidate:
    queued_at = row.queued_at if row.state is State.QUEUED else None
    return Candidate(job=row.id, queue=GRADE_CPU_QUEUE, queued_at=queued_at, state=row.state, requeues=row.requeues)
