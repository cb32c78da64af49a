"""Ranks by ratios that are known to within an interval. Pure."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grader.measurement import Interval


@dataclass(frozen=True)
class Rank:
    """A place on a board. Those who share it are too close to tell apart."""

    number: int
    is_shared: bool


def ranks(measured: Sequence[Interval]) -> list[Rank]:
    """Returns the rank of each: one more than how many are certainly ahead, whose intervals end before it begins.

    Overlap is not transitive, so ranks are not made by joining all that overlap: a chain would make everybody first.
    """
    ends = sorted(each.high for each in measured)
    numbers = [1 + bisect_left(ends, each.low) for each in measured]
    counts = Counter(numbers)
    return [Rank(number, counts[number] > 1) for number in numbers]
