"""Queue positions, estimated starts, and how long gradings take. Asked often, so computed at most once a second."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from statistics import mean
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from app.assignments.schedule import HOLDING
from app.broker import Broker, BrokerDown
from app.database import Database
from app.models import Assignment, Job, State, Submission, now
from app.queue.waiting import dispatched_ids, queued_ids

QUEUE_KEPT_S: Final = 1.0
PACE_KEPT_S: Final = 10.0
RECENT: Final = 100  # gradings that an estimate looks back on
T = TypeVar("T")


@dataclass(frozen=True)
class Pace:
    """How long recent gradings of a challenge took, from their start to the report. None where there are none."""

    p50_s: float | None
    p95_s: float | None


@dataclass(frozen=True)
class Position:
    """A submission's position in the queue; 1 is next. `estimated_start_at` is None while no judge runs or no grading
    has been timed yet.
    """

    position: int
    estimated_start_at: datetime | None


@dataclass(frozen=True)
class _Queue:
    positions: dict[str, int]
    seconds_each: float | None  # between two starts


class Positions:
    """Answers where submissions are in the queue, and how long gradings take. Thread-safe."""

    def __init__(self, database: Database, broker: Broker) -> None:
        self._database = database
        self._broker = broker
        self._kept = _Kept()

    def position(self, submission: Submission) -> Position | None:
        """Returns None for a submission that is not queued, or that waits out the pause after a fault."""
        if submission.state is not State.QUEUED:
            return None
        found = self._kept.get("queue", QUEUE_KEPT_S, self._queue)
        position = found.positions.get(submission.id)
        if position is None:
            return None
        if found.seconds_each is None:
            return Position(position, None)
        return Position(position, now() + timedelta(seconds=round(found.seconds_each * position)))

    def pace(self, challenge: str) -> Pace:
        """Returns how long recent gradings of a challenge took."""
        return self._kept.get(("pace", challenge), PACE_KEPT_S, lambda: self._pace(challenge))

    def _queue(self) -> _Queue:
        moment = now()
        with self._database.read() as session:
            order = [*dispatched_ids(session), *queued_ids(session, moment)]
            took = _durations(session) if order else []
        positions = {submission_id: number for number, submission_id in enumerate(order, start=1)}
        judges = self._judges() if took else 0
        return _Queue(positions, mean(took) / judges if judges else None)

    def _pace(self, challenge: str) -> Pace:
        with self._database.read() as session:
            took = sorted(_durations(session, Submission.challenge == challenge))
        return Pace(_quantile(took, 0.5), _quantile(took, 0.95))

    def _judges(self) -> int:
        try:
            return self._broker.judges()
        except BrokerDown:
            return 0


class _Kept:
    """A cache of computed values. One thread computes; others that ask meanwhile wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[Hashable, tuple[float, Any]] = {}

    def get(self, key: Hashable, seconds: float, compute: Callable[[], T]) -> T:
        """Returns the value kept under the key, computed anew when it is older than `seconds`."""
        with self._lock:
            made_at, value = self._values.get(key, (0.0, None))
            if time.monotonic() - made_at > seconds:
                value = compute()
                self._values[key] = (time.monotonic(), value)
        found: T = value
        return found


def _durations(session: Session, *also: ColumnElement[bool]) -> list[float]:
    query = (
        select(Job.started_at, Submission.graded_at)
        .join(Job, Job.id == Submission.id)
        .outerjoin(Assignment, Assignment.id == Submission.assignment_id)
        .where(Submission.state == State.GRADED, *also)
        # Of the few that one student can tell apart, how long they took would tell what is held.
        .where(or_(Assignment.id.is_(None), ~HOLDING))
        .order_by(Submission.id.desc())
        .limit(RECENT)
    )
    return [max(0.0, (end - start).total_seconds()) for start, end in session.execute(query) if start and end]


def _quantile(ordered: list[float], share: float) -> float | None:
    """The nearest rank: a time that really occurred."""
    return round(ordered[ceil(share * len(ordered)) - 1], 2) if ordered else None
