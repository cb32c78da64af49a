"""Queues lost submissions again. The rows are the truth: whatever is open, not leased and not waiting, is lost."""

import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import structlog
from sqlalchemy import or_, select, update

from app.broker import Broker, BrokerDown
from app.database import DATABASE_FAULTS, Database
from app.metrics import RecorderMetrics
from app.models import OPEN_STATES, State, Submission, now
from app.recording import applies_to, pause
from app.settings import RecorderSettings
from app.submissions.service import queue

BATCH: Final = 500
LOUD_AFTER: Final = 5  # requeues of one submission before somebody should look at it
logger = structlog.get_logger(part="sweeper")


class Reason(StrEnum):
    """Why a submission is queued again."""

    LOST_MESSAGE = "lost_message"  # queued, but no message waits for a judge
    LOST_JUDGE = "lost_judge"  # running, but its judge's lease has run out
    FAULT = "fault"  # a judge gave it back


@dataclass(frozen=True)
class Candidate:
    """An open submission that may be lost."""

    id: str
    state: State
    queued_at: datetime
    requeues: int
    has_fault: bool


class Sweeper:
    """One for each recorder. Several may run at the same time: a conditional update lets one of them win."""

    def __init__(
        self, settings: RecorderSettings, database: Database, broker: Broker, metrics: RecorderMetrics
    ) -> None:
        self._settings = settings
        self._database = database
        self._broker = broker
        self._metrics = metrics
        self._unleased_since: dict[str, float] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="sweeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=5)

    def sweep(self) -> int:
        """Look once; returns how many were queued again. Raises BrokerDown and DATABASE_FAULTS."""
        candidates = self._candidates()
        if not candidates:
            self._unleased_since.clear()
            return 0
        lost = self._lost(candidates)
        return sum(self._requeue(candidate) for candidate in lost)

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
        moment = now()
        due = or_(Submission.requeue_at.is_(None), Submission.requeue_at <= moment)
        long_ago = moment - timedelta(seconds=self._settings.lost_after_s)
        query = (
            select(
                Submission.id,
                Submission.state,
                Submission.queued_at,
                Submission.requeues,
                Submission.fault.is_not(None),
            )
            .where(Submission.state.in_(OPEN_STATES), Submission.queued_at < long_ago, due)
            .order_by(Submission.queued_at)
            .limit(BATCH)
        )
        with self._database.read() as session:
            return [Candidate(*row) for row in session.execute(query)]

    def _lost(self, candidates: list[Candidate]) -> list[Candidate]:
        leased = self._broker.leased([candidate.id for candidate in candidates])
        unleased = [candidate for candidate in candidates if candidate.id not in leased]
        self._remember(unleased)
        if self._broker.reports_waiting():
            return []  # the recorder is behind: what looks lost may be in its queue
        oldest = self._broker.oldest_waiting()
        return [candidate for candidate in unleased if self._is_lost(candidate, oldest)]

    def _remember(self, unleased: list[Candidate]) -> None:
        moment = time.monotonic()
        self._unleased_since = {item.id: self._unleased_since.get(item.id, moment) for item in unleased}

    def _is_lost(self, candidate: Candidate, oldest_waiting: float | None) -> bool:
        """A queue is first in, first out: who was queued well before its head is not in it."""
        if candidate.state is State.RUNNING:
            return time.monotonic() - self._unleased_since[candidate.id] >= self._settings.lost_after_s
        if oldest_waiting is None:
            return True
        return candidate.queued_at.timestamp() < oldest_waiting - self._settings.lost_after_s

    def _requeue(self, seen: Candidate) -> bool:
        moment = now()
        with self._database.write() as session:
            is_ours = applies_to(
                session,
                update(Submission)
                .where(Submission.id == seen.id, Submission.state == seen.state, Submission.requeues == seen.requeues)
                .values(
                    state=State.QUEUED,
                    queued_at=moment,
                    requeues=seen.requeues + 1,
                    requeue_at=moment + pause(self._settings, seen.requeues),
                ),
            )
        if not is_ours or not queue(self._broker, self._database, seen.id):
            return False
        self._unleased_since.pop(seen.id, None)
        reason = _reason(seen)
        self._metrics.requeues.labels(reason).inc()
        level = logger.error if seen.requeues + 1 >= LOUD_AFTER else logger.warning
        level("submission_requeued", submission_id=seen.id, reason=reason, requeues=seen.requeues + 1)
        return True


def _reason(seen: Candidate) -> Reason:
    if seen.has_fault:
        return Reason.FAULT
    return Reason.LOST_JUDGE if seen.state is State.RUNNING else Reason.LOST_MESSAGE
