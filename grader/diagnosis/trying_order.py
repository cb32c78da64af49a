"""In which order cases are tried on many mistakes: what is cheap and tells much comes first."""

from collections.abc import Sequence

from grader.comparison.scored_case import ScoredCase
from grader.diagnosis.prediction import asked
from grader.grouping import grouped
from grader.guest.values import count

TINY_CASE = 50  # numbers in what a case gives that is so small that different mistakes look alike


def telling_first(passing: Sequence[ScoredCase]) -> list[ScoredCase]:
    """The smallest case of each family, then the largest, for what small ones do not show; then all others by size."""
    by_size = sorted(passing, key=size)
    ends = [*one_of_each_family(by_size), *one_of_each_family(by_size[::-1])]
    return list({item.case.id: item for item in (*ends, *by_size)}.values())


def size(item: ScoredCase) -> int:
    """Numbers in what the case gives: what trying it costs."""
    values = sum(count(value) for value in item.expected.values or ())
    return values + sum(output.numel() for output in item.expected.outputs)


def effort(item: ScoredCase) -> tuple[bool, bool, bool, int]:
    """A key for sorting: least for what is quick to try and tells much: plain, small, and without a backward pass."""
    return len(asked(item.case)) > 1, bool(item.case.call.differentiate), *is_tiny_and_size(item)


def is_tiny_and_size(item: ScoredCase) -> tuple[bool, int]:
    """A key for sorting: least for the smallest case that is large enough to tell mistakes apart."""
    return size(item) < TINY_CASE, size(item)


def by_family(items: Sequence[ScoredCase]) -> list[list[ScoredCase]]:
    """Returns the cases of each family, in each those first that are quick to try."""
    return list(grouped((item.case.family, item) for item in sorted(items, key=effort)).values())


def one_of_each_family(items: Sequence[ScoredCase]) -> list[ScoredCase]:
    """Returns the first case of each family."""
    first: dict[str, ScoredCase] = {}
    for item in items:
        first.setdefault(item.case.family, item)
    return list(first.values())
