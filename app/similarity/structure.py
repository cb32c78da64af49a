"""Compares files by their steps: what is applied to what, whatever it is called and in whichever order it stands."""

import ast
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from app.similarity.budget import Budget
from app.similarity.common import common_to
from app.similarity.flow import steps_of
from app.similarity.forms import Forms, forms_of
from app.similarity.steps import CodeStep, TooManySteps

SHARE_MIN: Final = 0.7  # of the smaller file's own steps; benchmarks/similarity.py says what another share would find
STEPS_MIN: Final = 8  # shared: what is shorter has no room to differ
FILE_CPU_S: Final = 1.0  # an honest file takes a few thousandths
CPU_S: Final = 40.0  # for all of them
UNREADABLE: Final = (SyntaxError, ValueError, RecursionError, MemoryError, TooManySteps, TimeoutError)


@dataclass(frozen=True)
class Structure:
    """A file's steps and statements. Nothing, where it cannot be read."""

    steps: Sequence[CodeStep] = ()
    forms: Forms = field(default_factory=Forms)

    @property
    def labels(self) -> frozenset[int]:
        """Its different steps."""
        return frozenset(step.label for step in self.steps)

    def lines(self, labels: frozenset[int]) -> list[int]:
        """The lines of these steps."""
        found = (step for step in self.steps if step.label in labels)
        return sorted({line for step in found for line in range(step.first_line, step.last_line + 1)})


def structures_of(sources: Iterable[str]) -> list[Structure]:
    """Reads files. Whatever was written, it ends soon and raises nothing."""
    budget = Budget(CPU_S)
    return [_structure_of(source, budget) for source in sources]


def _structure_of(source: str, budget: Budget) -> Structure:
    try:
        with budget.at_most(FILE_CPU_S), warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
            return Structure(steps_of(tree), forms_of(tree))
    except UNREADABLE:
        return Structure()


def own_steps(files: Sequence[Structure], starter: Structure) -> list[frozenset[int]]:
    """Returns the steps of each file that were neither handed out nor are common in the class."""
    labels = [each.labels - starter.labels for each in files]
    common = common_to(labels)
    return [each - common for each in labels]


def share_of(one: frozenset[int], other: frozenset[int]) -> float:
    """Returns the share of the smaller file's own steps that is in the other."""
    return len(one & other) / (min(len(one), len(other)) or 1)


def alike_in_steps(own: Sequence[frozenset[int]]) -> Iterator[tuple[int, int]]:
    """Yields the pairs of which one's steps are mostly in the other, by their indices."""
    for left, right in combinations(range(len(own)), 2):
        shared = len(own[left] & own[right])
        if shared >= STEPS_MIN and shared >= SHARE_MIN * min(len(own[left]), len(own[right])):
            yield left, right
