"""Where each one stands in line, when it will start, and how long gradings take. Asked often, so read once a second."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from statistics import mean
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.broker import Broker, BrokerDown
from app.database import Database
from app.line.waiting import line, sent
from app.models import State, Submission, now

LINE_KEPT_S: Final = 1.0
PACE_KEPT_S: Final = 10.0
RECENT: Final = 100  # gradings that an estimate looks back on
T = TypeVar("T")


@dataclass(frozen=True)
class Pace:
    """How long recent gradings of a challenge took, from their start to the report. None where there are none."""

    p50_s: float | None
    p95_s: float | None


@dataclass(frozen=True)
class Place:
    """`position` 1 is next. `estimated_start_at` is None while no judge is there or nothing is known yet."""

    position: int
    estimated_start_at: datetime | None


@dataclass(frozen=True)
class _Line:
    positions: dict[str, int]
    seconds_each: float | None  # between two starts


class Places:
    """Thread-safe."""

    def __init__(self, database: Database, broker: Broker) -> None:
        self._database = database
        self._broker = broker
        self._kept = _Kept()

    def place(self, submission: Submission) -> Place | None:
        """None for one that does not wait, or waits apart because the service failed on it."""
        if submission.state is not State.QUEUED:
            return None
        found = self._kept.get("line", LINE_KEPT_S, self._line)
        position = found.positions.get(submission.id)
        if position is None:
            return None
        if found.seconds_each is None:
            return Place(position, None)
        return Place(position, now() + timedelta(seconds=round(found.seconds_each * position)))

    def pace(self, challenge: str) -> Pace:
        return self._kept.get(("pace", challenge), PACE_KEPT_S, lambda: self._pace(challenge))

    def _line(self) -> _Line:
        moment = now()
        with self._database.read() as session:
            ahead = session.scalars(select(Submission.id).where(sent()).order_by(Submission.queued_at)).all()
            order = [*ahead, *line(session, moment)]
            took = _durations(session) if order else []
        positions = {submission_id: number for number, submission_id in enumerate(order, start=1)}
        judges = self._judges() if took else 0
        return _Line(positions, mean(took) / judges if judges else None)

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
    """What was computed a moment ago. One thread computes; whoever comes meanwhile waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[Hashable, tuple[float, Any]] = {}

    def get(self, key: Hashable, seconds: float, compute: Callable[[], T]) -> T:
        with self._lock:
            made_at, value = self._values.get(key, (0.0, None))
            if time.monotonic() - made_at > seconds:
                value = compute()
                self._values[key] = (time.monotonic(), value)
        found: T = value
        return found


def _durations(session: Session, *also: ColumnElement[bool]) -> list[float]:
    query = (
        select(Submission.started_at, Submission.graded_at)
        .where(Submission.state == State.GRADED, *also)
        .order_by(Submission.id.desc())
        .limit(RECENT)
    )
    return [max(0.0, (end - start).total_seconds()) for start, end in session.execute(query) if start and end]


def _quantile(ordered: list[float], share: float) -> float | None:
    """The nearest rank: a time that really occurred."""
    return round(ordered[ceil(share * len(ordered)) - 1], 2) if ordered else None
