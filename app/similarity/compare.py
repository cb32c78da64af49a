"""Compares sources with copydetect: tokens without names, winnowed fingerprints, what was handed out left aside.

A program: a Task as JSON on stdin, a Found on stdout. So numpy, which copydetect brings, is in a process of its own
that ends, and the front end neither holds it nor waits.
"""

import io
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from types import ModuleType
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

NOISE: Final = 25  # matches shorter than so many tokens' characters are chance (copydetect's default)
WINDOW: Final = 1
COMMON_SHARE: Final = 1 / 3  # of the files: what so many have came from the same lecture
COMMON_FROM: Final = 9  # fewer files have nothing that could be called common
CANDIDATE_SHARE: Final = 0.3  # of the smaller file's fingerprints
SCORE_MIN: Final = 0.5
OVERLAP_MIN: Final = 60  # characters of tokens: less is a line or two
PAIRS_MAX: Final = 200
FILE_CPU_S: Final = 2.0  # twenty times what an honest file takes; then it is compared with nothing
PAIR_CPU_S: Final = 1.0
AGAIN_CPU_S: Final = 0.1
CPU_S: Final = 120
MEMORY_BYTES: Final = 4 << 30


class Task(BaseModel):
    """The sources to compare, and the starter whose code does not count."""

    model_config = ConfigDict(frozen=True)

    sources: list[str]
    starter: str


class Alike(BaseModel):
    """Two similar sources, by their indices. `score` is from 0 to 1; lines count from 1."""

    model_config = ConfigDict(frozen=True)

    left: int
    right: int
    score: float
    left_lines: list[int]
    right_lines: list[int]


class Found(BaseModel):
    """The pairs that were found."""

    model_config = ConfigDict(frozen=True)

    pairs: list[Alike]


def compare(sources: Sequence[str], starter: str) -> list[Alike]:
    """Returns the pairs that share most, the most alike first."""
    handed_out = _fingerprint(starter, []).hashes
    common = _common([_fingerprint(source, list(handed_out)).hashes for source in sources])
    ours = sorted(handed_out | common)
    prints = [_fingerprint(source, ours) for source in sources]
    found = [
        alike
        for left, right in combinations(range(len(prints)), 2)
        if _may_be_alike(prints[left].hashes, prints[right].hashes)
        and (alike := _alike(prints, left, right)) is not None
    ]
    return sorted(found, key=lambda alike: -alike.score)[:PAIRS_MAX]


def _fingerprint(source: str, ignored: list[int]) -> Any:
    from copydetect import CodeFingerprint  # noqa: PLC0415 - numpy comes with it

    try:
        with _at_most(FILE_CPU_S):
            return CodeFingerprint("layers.py", NOISE, WINDOW, ignored, language="python", fp=io.StringIO(source))
    except TimeoutError:
        return CodeFingerprint("layers.py", NOISE, WINDOW, language="python", fp=io.StringIO(""))


@contextmanager
def _at_most(cpu_s: float) -> Iterator[None]:
    """Raises TimeoutError in the block once it has used up that much of the processor.

    And again soon after: what is raised in a finalizer or in a callback of the garbage collector is lost.
    """
    signal.signal(signal.SIGPROF, _end)
    signal.setitimer(signal.ITIMER_PROF, cpu_s, AGAIN_CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _end(_: int, __: object) -> None:
    raise TimeoutError


def _common(hashes: Sequence[set[int]]) -> set[int]:
    if len(hashes) < COMMON_FROM:
        return set()
    counts = Counter(value for each in hashes for value in each)
    return {value for value, count in counts.items() if count > COMMON_SHARE * len(hashes)}


def _may_be_alike(left: set[int], right: set[int]) -> bool:
    """A cheap look, so that only few pairs are compared in earnest."""
    smaller = min(len(left), len(right))
    return smaller > 0 and len(left & right) >= CANDIDATE_SHARE * smaller


def _alike(prints: Sequence[Any], left: int, right: int) -> Alike | None:
    from copydetect import compare_files  # noqa: PLC0415

    try:
        with _at_most(PAIR_CPU_S):
            overlap, shares, slices = compare_files(prints[left], prints[right])
    except TimeoutError:
        return None
    score = min(1.0, float(max(shares)))
    if overlap < OVERLAP_MIN or score < SCORE_MIN:
        return None
    return Alike(
        left=left,
        right=right,
        score=round(score, 4),
        left_lines=_lines(prints[left].raw_code, slices[0]),
        right_lines=_lines(prints[right].raw_code, slices[1]),
    )


def _lines(source: str, slices: Any) -> list[int]:
    """The lines that stretches of characters touch."""
    lines: set[int] = set()
    for start, end in zip(slices[0], slices[1], strict=True):
        first = source.count("\n", 0, int(start)) + 1
        lines |= set(range(first, first + source.count("\n", int(start), max(int(start), int(end) - 1)) + 1))
    return sorted(lines)


def _draw_nothing() -> None:
    """copydetect loads matplotlib for reports of its own, which nobody asks for: the image `app` does without it."""
    for name in ("matplotlib", "matplotlib.pyplot"):
        sys.modules[name] = ModuleType(name)


def main() -> None:
    """Runs a comparison with limits on its own time and memory, and at low priority."""
    _draw_nothing()
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    os.nice(10)
    task = Task.model_validate_json(sys.stdin.buffer.read())
    sys.stdout.write(Found(pairs=compare(task.sources, task.starter)).model_dump_json())


if __name__ == "__main__":
    main()
