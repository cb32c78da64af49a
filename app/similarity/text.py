"""Compares texts with copydetect: tokens without names, winnowed fingerprints, what was handed out left aside.

It sees what is copied as it stands, even where the structure cannot be read.
"""

import io
import sys
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import ModuleType
from typing import Any, Final

from app.similarity.budget import Budget
from app.similarity.common import common_to

NOISE: Final = 25  # matches shorter than so many tokens' characters are chance (copydetect's default)
WINDOW: Final = 1
CANDIDATE_SHARE: Final = 0.3  # of the smaller file's fingerprints
SCORE_MIN: Final = 0.9  # less is found by structure, with fewer that only look alike (benchmarks/similarity.py)
OVERLAP_MIN: Final = 60  # characters of tokens: less is a line or two
FILE_CPU_S: Final = 1.0  # fifty times what an honest file takes; then it is compared with nothing
PAIR_CPU_S: Final = 1.0
CPU_S: Final = 40.0  # for all of this: what the structure shows is told, also where somebody wrote to exhaust it


@dataclass(frozen=True)
class Passages:
    """Two texts, by their indices, and the lines that read the same."""

    left: int
    right: int
    score: float
    left_lines: list[int]
    right_lines: list[int]


def alike_in_text(
    sources: Sequence[str], starter: str, score_min: float = SCORE_MIN, apart_from: Container[tuple[int, int]] = ()
) -> Iterator[Passages]:
    """Yields the pairs of which one text is mostly in the other, apart from those that are known to be alike."""
    draw_nothing()
    budget = Budget(CPU_S)
    handed_out = _fingerprint(starter, [], budget).hashes
    firsts = [_fingerprint(source, list(handed_out), budget) for source in sources]
    ours = sorted(handed_out | common_to([each.hashes for each in firsts]))
    # What could not be read in time, or has nothing of its own, is not read again.
    again = zip(sources, firsts, strict=True)
    prints = [_fingerprint(source, ours, budget) if first.hashes else first for source, first in again]
    for left, right in combinations(range(len(prints)), 2):
        if (left, right) not in apart_from and _may_be_alike(prints[left].hashes, prints[right].hashes):
            passages = _passages(prints, left, right, budget)
            if passages is not None and passages.score >= score_min:
                yield passages


def draw_nothing() -> None:
    """Stands in for matplotlib, which copydetect loads for reports that nobody asks for: the image `app` has none."""
    for name in ("matplotlib", "matplotlib.pyplot"):
        sys.modules[name] = ModuleType(name)


def _fingerprint(source: str, ignored: list[int], budget: Budget) -> Any:
    from copydetect import CodeFingerprint  # noqa: PLC0415 - numpy comes with it

    try:
        with budget.at_most(FILE_CPU_S):
            return CodeFingerprint("layers.py", NOISE, WINDOW, ignored, language="python", fp=io.StringIO(source))
    except TimeoutError:
        return CodeFingerprint("layers.py", NOISE, WINDOW, language="python", fp=io.StringIO(""))


def _may_be_alike(left: set[int], right: set[int]) -> bool:
    """A cheap look, so that only few pairs are compared in earnest."""
    smaller = min(len(left), len(right))
    return smaller > 0 and len(left & right) >= CANDIDATE_SHARE * smaller


def _passages(prints: Sequence[Any], left: int, right: int, budget: Budget) -> Passages | None:
    from copydetect import compare_files  # noqa: PLC0415

    try:
        with budget.at_most(PAIR_CPU_S):
            overlap, shares, slices = compare_files(prints[left], prints[right])
    except TimeoutError:
        return None
    score = min(1.0, float(max(shares)))
    if overlap < OVERLAP_MIN:
        return None
    left_lines, right_lines = (
        lines_touched(prints[index].raw_code, side) for index, side in zip((left, right), slices, strict=True)
    )
    return Passages(left, right, score, left_lines, right_lines)


def lines_touched(source: str, slices: Any) -> list[int]:
    """The lines that stretches of characters touch."""
    lines: set[int] = set()
    for start, end in zip(slices[0], slices[1], strict=True):
        first = source.count("\n", 0, int(start)) + 1
        lines |= set(range(first, first + source.count("\n", int(start), max(int(start), int(end) - 1)) + 1))
    return sorted(lines)
