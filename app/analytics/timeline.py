"""Submissions over time, in steps that people think in, and not so many that nobody sees them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import BigInteger, ColumnElement, cast, extract
from sqlalchemy.orm import InstrumentedAttribute

STEPS_MAX: Final = 60
HOUR_S: Final = 3600
STEPS_S: Final = [HOUR_S * hours for hours in (1, 2, 3, 6, 12, 24, 48, 168, 336, 672, 2688, 8736)]


Second = TypeVar("Second", int, ColumnElement[int])


@dataclass(frozen=True)
class Steps:
    """Moments at equal distances, numbered from 0."""

    start: datetime
    step_s: int
    count: int

    def number(self, second: Second) -> Second:
        """Returns the step that a second since 1970 falls into; for an SQL column, an expression for it."""
        return (second - int(self.start.timestamp())) // self.step_s

    def moments(self) -> list[datetime]:
        """Returns the moment at which each step begins."""
        return [self.start + timedelta(seconds=self.step_s * number) for number in range(self.count)]

    def spread(self, counts: dict[int, int]) -> list[int]:
        """Returns one count for each step. A submission between two seconds may be counted one step too late."""
        filled = [0] * self.count
        for number, count in counts.items():
            filled[min(max(number, 0), self.count - 1)] += count
        return filled


def second_of(moment: InstrumentedAttribute[datetime]) -> ColumnElement[int]:
    """Converts a timestamp column to seconds since 1970, in SQL."""
    return cast(extract("epoch", moment), BigInteger)


def steps_for(first: datetime, last: datetime, due_at: datetime | None, zone: str) -> Steps:
    """Returns steps that cover the submissions and, unless it is far away, the due time."""
    end = max(last, due_at) if due_at and due_at - first < 2 * (last - first) else last
    return steps_between(first, end, zone)


def steps_between(first: datetime, last: datetime, zone: str = "UTC") -> Steps:
    """Returns the finest steps that are few enough, on whole hours or days of the zone as its clocks are at `first`."""
    span_s = (last - first).total_seconds()
    too_fine = list(takewhile(lambda step_s: span_s / step_s > STEPS_MAX - 2, STEPS_S[:-1]))
    step_s = STEPS_S[len(too_fine)]
    grid = min(step_s, 24 * HOUR_S)
    offset = first.astimezone(ZoneInfo(zone)).utcoffset() or timedelta()
    ahead_s = int(offset.total_seconds())
    start_s = (int(first.timestamp()) + ahead_s) // grid * grid - ahead_s
    return Steps(datetime.fromtimestamp(start_s, UTC), step_s, int((last.timestamp() - start_s) // step_s) + 1)


def shares(numbers: Sequence[float], bins: int) -> list[int]:
    """Counts how many of these numbers from 0 to 1 fall into each of so many equal parts; 1 belongs to the last."""
    counts = [0] * bins
    for number in numbers:
        counts[min(max(int(number * bins), 0), bins - 1)] += 1
    return counts
