"""Which lines differ between two texts: a shortest edit script, and work that nobody can drive up.

The longest common subsequence comes from bit vectors (Hyyrö 2004): one addition and three logical operations on an
integer of as many bits as there are lines, for each line of the other text. So 3,000 lines against 3,000 take a few
milliseconds and a megabyte, whatever they say; `difflib` takes cubic time where lines repeat.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

CELLS_MAX: Final = 1 << 24  # lines times lines that are compared; beyond, the texts differ as a whole


@dataclass(frozen=True)
class Stretch:
    """`before[old]` stands where `after[new]` does. One is empty where lines were only added or only removed."""

    old: slice
    new: slice
    is_equal: bool


def stretches(before: Sequence[str], after: Sequence[str]) -> list[Stretch]:
    """Both sequences from beginning to end, equal and changed stretches in turn."""
    head = common(before, after)
    tail = common(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    pairs = [(at, at) for at in range(head)]
    if len(old) * len(new) <= CELLS_MAX:
        pairs += [(head + left, head + right) for left, right in _matches(old, new)]
    pairs += [(len(before) - left, len(after) - left) for left in range(tail, 0, -1)]
    return list(_joined(pairs, len(before), len(after)))


def common(before: Sequence[object], after: Sequence[object]) -> int:
    """Counts the items that both begin with: lines of texts, characters of a line."""
    return next(
        (at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new),
        min(len(before), len(after)),
    )


def _matches(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Places of a longest common subsequence."""
    places: dict[str, int] = {}
    for at, line in enumerate(before):
        places[line] = places.get(line, 0) | 1 << at
    rows = [(1 << len(before)) - 1]  # a zero where the subsequence gets longer
    for line in after:
        row = rows[-1]
        met = row & places.get(line, 0)
        rows.append((row + met | row - met) & rows[0])
    found: list[tuple[int, int]] = []
    left, right = len(before), len(after)
    while left and right:
        bit = 1 << (left - 1)
        if rows[right] & bit:
            left -= 1
            continue
        right -= 1
        if rows[right] & bit:
            left -= 1
            found.append((left, right))
    return found[::-1]


def _joined(pairs: Sequence[tuple[int, int]], before: int, after: int) -> Iterator[Stretch]:
    """Neighbouring pairs as one stretch, and what lies between."""
    left = right = start = 0
    for number, (old, new) in enumerate([*pairs, (before, after)]):
        follows = number < len(pairs) and (old, new) == (left, right)
        if not follows:
            if start < number:
                length = number - start
                yield Stretch(slice(left - length, left), slice(right - length, right), is_equal=True)
            if (old, new) != (left, right):
                yield Stretch(slice(left, old), slice(right, new), is_equal=False)
            start = number
        left, right = old + 1, new + 1
