"""Requeues lost jobs, and dispatches the next. The rows are the truth: a job that is dispatched or running, but has no
lease and is not waiting in Redis, is lost.
"""

import time
from collections.abc import Callable

import structlog

from app.broker import BrokerDown
from app.database import DATABASE_FAULTS, Database
from app.jobs.dispatch import Dispatcher
from app.jobs.kind import Office
from app.jobs.kinds import KINDS
from app.jobs.missing import Missing
from app.jobs.requeue import Reason, requeue_or_give_up
from app.models import Job, JobState
from app.periodic import Periodic
from grader.alive import NOWHERE, Heartbeat

logger = structlog.get_logger(part="sweeper")


class Sweeper(Periodic):
    """A thread that requeues lost jobs and dispatches the next. Several recorders may each have one: a conditional
    update lets one of them win.
    """

    def __init__(
        self, database: Database, office: Office, heartbeat: Heartbeat = NOWHERE, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._office = office
        self._heartbeat = heartbeat
        self._dispatcher = Dispatcher(database, office.broker, office.settings.queue_ahead, KINDS)
        self._missing = Missing(office.broker, office.settings.lost_after_s, clock)
        expected = (BrokerDown, *DATABASE_FAULTS)
        super().__init__("sweep", self._beat_and_sweep, office.settings.sweep_every_s, logger, expected)

    def sweep(self) -> int:
        """Looks once, and returns how many jobs were requeued. Raises BrokerDown, and the database's faults."""
        with self._database.read() as session:
            sent = self._missing.candidates(session)
        count = sum(self._requeue(job) for job in self._missing.lost(sent))
        self._dispatcher.send_all()
        return count

    def _beat_and_sweep(self) -> None:
        self._heartbeat.beat()  # also while the database is away: to start this process again would mend nothing
        self.sweep()

    def _requeue(self, seen: Job) -> bool:
        reason = Reason.LOST_JUDGE if seen.state is JobState.RUNNING else Reason.LOST_MESSAGE
        return requeue_or_give_up(self._database, self._office, KINDS[seen.kind], seen, reason)
