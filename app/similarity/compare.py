"""Compares the files of a class: by their structure, and by their text where that shows more.

A program: a Task as JSON on stdin, a Found on stdout. So numpy, which copydetect brings, is in a process of its own
that ends, and the front end neither holds it nor waits.
"""

import os
import re
import resource
import sys
from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel

from app.similarity.budget import Budget
from app.similarity.clusters import clusters_of, shared_by
from app.similarity.forms import Likeness, Reason, likeness_of
from app.similarity.structure import alike_in_steps, own_steps, share_of, structures_of
from app.similarity.text import alike_in_text

PAIRS_MAX: Final = 600  # one for each student, if need be
SHARED_MAX: Final = 30  # lines
COLUMNS_MAX: Final = 200
LINE_END: Final = re.compile(r"\r\n?|\n")  # what Python counts
REASON_CPU_S: Final = 0.5
REASONS_CPU_S: Final = 15.0
CPU_S: Final = 120
MEMORY_BYTES: Final = 4 << 30


class Task(BaseModel, frozen=True):
    """The sources to compare, and the starter whose code does not count."""

    sources: list[str]
    starter: str


class Alike(BaseModel, frozen=True):
    """Two similar sources, by their indices. `score` is from 0 to 1; lines count from 1."""

    left: int
    right: int
    score: float
    reason: Reason
    is_whole: bool
    left_lines: list[int]
    right_lines: list[int]


class SharedLine(BaseModel, frozen=True):
    """A line, counted from 1."""

    number: int
    text: str


class Group(BaseModel, frozen=True):
    """Similar sources, by their indices, and lines of the first that all of them have, as steps if not as text."""

    members: list[int]
    shared: list[SharedLine]


class Found(BaseModel, frozen=True):
    """The pairs and the groups that were found."""

    pairs: list[Alike] = []
    groups: list[Group] = []


class Comparison:
    """The files of a class while they are compared."""

    def __init__(self, task: Task) -> None:
        self._sources = task.sources
        self._budget = Budget(REASONS_CPU_S)
        starter, *self._structures = structures_of([task.starter, *task.sources])
        self._own = own_steps(self._structures, starter)
        self._scores = {
            (left, right): share_of(self._own[left], self._own[right]) for left, right in alike_in_steps(self._own)
        }
        passages = alike_in_text(task.sources, task.starter, apart_from=self._scores.keys())
        self._passages = {(each.left, each.right): each for each in passages}
        self._scores |= {pair: each.score for pair, each in self._passages.items()}

    def found(self) -> Found:
        """Tells what is alike, the most alike first: of the pairs as many as somebody may want to look at."""
        ranked = sorted(self._scores, key=lambda pair: -self._scores[pair])
        clusters = clusters_of(ranked)
        ties = set(clusters.ties)
        told = sorted(ranked, key=lambda pair: pair not in ties)[:PAIRS_MAX]  # a stable order
        return Found(
            pairs=[self._alike(*pair) for pair in sorted(told, key=lambda pair: -self._scores[pair])],
            groups=[self._group(members) for members in clusters.members],
        )

    def _alike(self, left: int, right: int) -> Alike:
        passages = self._passages.get((left, right))
        shared = self._own[left] & self._own[right]
        likeness = Likeness(Reason.TEXT, is_whole=False) if passages else self._likeness(left, right)
        return Alike(
            left=left,
            right=right,
            score=round(self._scores[left, right], 4),
            reason=likeness.reason,
            is_whole=likeness.is_whole,
            left_lines=passages.left_lines if passages else self._structures[left].lines(shared),
            right_lines=passages.right_lines if passages else self._structures[right].lines(shared),
        )

    def _likeness(self, left: int, right: int) -> Likeness:
        has_all_steps = self._structures[left].labels == self._structures[right].labels
        forms = (self._structures[each].forms for each in (left, right))
        try:
            with self._budget.at_most(REASON_CPU_S):
                return likeness_of(*forms, has_all_steps=has_all_steps)
        except TimeoutError:
            return Likeness(Reason.STEPS, is_whole=has_all_steps)

    def _group(self, members: Sequence[int]) -> Group:
        first = members[0]
        numbers = self._structures[first].lines(shared_by(self._own, members))
        texts = LINE_END.split(self._sources[first])
        shared = [SharedLine(number=each, text=texts[each - 1][:COLUMNS_MAX]) for each in numbers[:SHARED_MAX]]
        return Group(members=list(members), shared=shared)


def main() -> None:
    """Runs a comparison with limits on its own time and memory, and at low priority."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    os.nice(10)
    task = Task.model_validate_json(sys.stdin.buffer.read())
    sys.stdout.write(Comparison(task).found().model_dump_json())


if __name__ == "__main__":
    main()
