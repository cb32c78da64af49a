"""A paper is the cases drawn for one submission: families times a seed. The seed is all that is needed to draw it
again.
"""

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import ModuleType
from typing import TypeVar

import torch
from torch import Tensor

from grader.execution import Call
from grader.flaw import Flaw

T = TypeVar("T")
Trait = tuple[str, str]  # what calls differ in, and how a call does: ("dtype", "float64"), ("N and L_q", "equal")


class Aspect(StrEnum):
    """What of an outcome is compared with the reference's."""

    OUTPUT = "output"  # values, shape, dtype
    GRADIENTS = "gradients"
    ARGUMENTS = "arguments"  # as they were before the call


class Hint(str):
    """A sentence that fits some failures: of overflow, say, only where something is not finite."""

    fits: frozenset[Flaw]

    def __new__(cls, text: str, *fits: Flaw) -> "Hint":
        hint = super().__new__(cls, text)
        hint.fits = frozenset(fits)
        return hint


@dataclass(frozen=True, eq=False)
class Case:
    """One call, and how its outcome is judged. Equal only to itself, so that what is computed for it can be kept.

    `growth` is how many rounding errors of the largest expected value a right answer may be off by: it comes from the
    lengths of the sums and the size of the logits (docs/tolerance.md); `scale` is the largest value in sight where
    those expected may all be smaller, as gradients are that cancel. With `raises`, the call must raise one of these.
    `hint` is added to the message when the case fails: what is special about it, in a sentence; a Hint says how it must
    have failed. `what` it asks for, in words.
    """

    id: str
    title: str
    call: Call
    growth: float = 1.0
    scale: float = 0.0
    aspects: frozenset[Aspect] = frozenset({Aspect.OUTPUT})
    raises: tuple[str, ...] = ()
    hint: str = ""
    family: str = ""
    what: str = "output"
    traits: tuple[Trait, ...] = ()
    alone: Call | None = None

    def hint_for(self, flaw: Flaw) -> str:
        """The hint, where it fits: that an earlier result changed says what to do itself."""
        if flaw is Flaw.CHANGED_EARLIER:
            return ""
        return "" if isinstance(self.hint, Hint) and flaw not in self.hint.fits else self.hint


class Draw:
    """The source of everything that varies between papers. One for each family, so that families do not disturb
    each other.
    """

    def __init__(self, seed: int, name: str, reference: ModuleType) -> None:
        self._seed, self._name = seed, name
        digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
        self._random = random.Random(digest)  # noqa: S311  a paper needs a seed, not secrecy
        self._generator = torch.Generator().manual_seed(int.from_bytes(digest[:8], "big") >> 1)
        self.reference = reference

    def apart(self, name: str) -> "Draw":
        """A source of its own, for what is to be drawn alike wherever it stands."""
        return type(self)(self._seed, f"{self._name}/{name}", self.reference)

    def normal(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        """Standard normal values."""
        return torch.randn(*shape, generator=self._generator, dtype=dtype)

    def integer(self, low: int, high: int) -> int:
        """Between `low` and `high`, both included."""
        return self._random.randint(low, high)

    def choice(self, options: Sequence[T]) -> T:
        return self._random.choice(options)

    def distinct(self, count: int, below: int) -> Tensor:
        """`count` different integers under `below`, in any order."""
        return torch.randperm(below, generator=self._generator)[:count]


class RoundDraw(Draw):
    """Draws numbers that are easy to read, for examples that students see: one decimal."""

    def normal(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return super().normal(*shape, dtype=torch.float64).round(decimals=1).to(dtype)


Generator = Callable[[Draw], Iterator[Case]]


@dataclass(frozen=True)
class Paper:
    """All cases of one submission, in the order in which they are put to it."""

    seed: int
    cases: tuple[Case, ...]


def draw_paper(seed: int, families: dict[str, Generator], reference: ModuleType) -> Paper:
    """Each family's cases, named `family/case`, in the manifest's order."""
    cases = []
    for family, generate in families.items():
        for case in generate(Draw(seed, family, reference)):
            name = f"{family}/{case.id}"
            cases.append(replace(case, id=name, family=family, call=replace(case.call, id=name)))
    return Paper(seed=seed, cases=tuple(cases))
