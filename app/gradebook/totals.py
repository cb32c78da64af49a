"""A student's points in a whole course: what counts, what is dropped, what comes on top."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Entry(NamedTuple):
    """A student's points in one assignment. `points` is None where nothing is graded or given."""

    key: str
    points: float | None
    points_max: float
    is_bonus: bool
    is_over: bool  # whether it was due for this student: then nothing counts as 0

    @property
    def share(self) -> float:
        """The share of the points, from 0 to 1 and beyond."""
        return (self.points or 0.0) / self.points_max if self.points_max else 1.0


@dataclass(frozen=True)
class Total:
    """The points that count in a course, of how many, and the assignments that were dropped."""

    points: float
    points_max: float
    dropped: frozenset[str]


def total_of(entries: Sequence[Entry], drop_lowest: int) -> Total:
    """Returns the total of what is graded or over. The lowest shares are dropped, of equals the larger assignment, and
    one always stays; a bonus adds its points, and is neither dropped nor part of the maximum.
    """
    counting = [each for each in entries if each.points is not None or each.is_over]
    regular = [each for each in counting if not each.is_bonus]
    by_share = sorted(regular, key=lambda each: (each.share, -each.points_max))
    dropped = by_share[: min(drop_lowest, max(0, len(regular) - 1))]
    keys = frozenset(each.key for each in dropped)
    return Total(
        points=round(sum(each.points or 0.0 for each in counting if each.key not in keys), 2),
        points_max=round(sum(each.points_max for each in regular if each.key not in keys), 2),
        dropped=keys,
    )
