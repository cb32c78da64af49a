"""A paper is the cases drawn for one submission: families times a seed. The seed is all that is needed to draw it
again.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import ModuleType
from typing import TypeVar

import torch
from torch import Tensor

from grader.guest.execution import Call
from grader.paper.case import Case

T = TypeVar("T")


class Draw:
    """The source of everything that varies between papers. One for each family, so that families do not disturb
    each other.
    """

    def __init__(self, seed: int, name: str, reference: ModuleType) -> None:
        self._seed, self._name = seed, name
        self._digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
        self.reference = reference

    @cached_property
    def _random(self) -> random.Random:
        return random.Random(self._digest)  # noqa: S311  a paper needs a seed, not secrecy

    @cached_property
    def _generator(self) -> torch.Generator:
        return torch.Generator().manual_seed(int.from_bytes(self._digest[:8], "big") >> 1)

    def apart(self, name: str) -> "Draw":
        """A source of its own, for what is to be drawn alike wherever it stands."""
        return type(self)(self._seed, f"{self._name}/{name}", self.reference)

    def normal(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        """Standard normal values: a tensor of this shape and dtype."""
        return torch.randn(shape, generator=self._generator, dtype=dtype)

    def integer(self, low: int, high: int) -> int:
        """Draws an integer between `low` and `high`, both included."""
        return self._random.randint(low, high)

    def choice(self, options: Sequence[T]) -> T:
        """One of the options, each as likely as the others."""
        return self._random.choice(options)

    def few_and_more(self, *, odd: bool) -> tuple[int, int]:
        """A number up to 7 and one from 10 to 15, both odd or both even: who goes by that goes the same way twice."""
        return 2 * self.integer(1, 3) + odd, 2 * self.integer(5, 7) + odd

    def many_and_more(self, *, odd: bool) -> tuple[int, int]:
        """Draws a number from 20 to 41 and one from 200 to 301, which nobody fills up with idle rounds."""
        return 2 * self.integer(10, 20) + odd, 2 * self.integer(100, 150) + odd

    def distinct(self, count: int, below: int) -> Tensor:
        """`count` different integers under `below`, in any order: an int64 tensor of shape `(count,)`."""
        return torch.randperm(below, generator=self._generator)[:count]


class RoundDraw(Draw):
    """Draws numbers that are easy to read, for examples that students see: one decimal."""

    def normal(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        """Standard normal values rounded to one decimal: a tensor of this shape and dtype."""
        return super().normal(*shape, dtype=torch.float64).round(decimals=1).to(dtype)


Generator = Callable[[Draw], Iterator[Case]]


@dataclass(frozen=True)
class Paper:
    """All cases of one submission, in the order in which they are put to it."""

    seed: int
    cases: tuple[Case, ...]


def draw_paper(
    seed: int, families: dict[str, Generator], reference: ModuleType, by_position: Callable[[Call], int]
) -> Paper:
    """Each family's cases, named `family/case`, in the manifest's order. `by_position` is how many arguments of a call
    are given so.
    """
    cases = []
    for family, generate in families.items():
        for case in generate(Draw(seed, family, reference)):
            name = f"{family}/{case.id}"
            call = replace(case.call, id=name, by_position=by_position(case.call))
            cases.append(replace(case, id=name, family=family, call=call))
    return Paper(seed=seed, cases=tuple(_told_apart(cases)))


def _told_apart(cases: Sequence[Case]) -> Iterator[Case]:
    """Where two calls make one check, each title says which of them it is."""
    of_title, seen = Counter(case.title for case in cases), Counter[str]()
    for case in cases:
        seen[case.title] += 1
        total = of_title[case.title]
        yield case if total == 1 else replace(case, title=f"{case.title} ({seen[case.title]} of {total})")
