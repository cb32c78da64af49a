"""A case is one call and how its outcome is judged: the unit of which papers are made."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from grader.guest.execution import Call
from grader.paper.distribution import Distribution
from grader.paper.mismatch import Mismatch

Trait = tuple[str, str]  # what calls differ in, and how a call does: ("dtype", "float64"), ("N and L_q", "equal")


class Aspect(StrEnum):
    """What of an outcome is compared with the reference's."""

    OUTPUT = "output"  # values, shape, dtype
    GRADIENTS = "gradients"
    ARGUMENTS = "arguments"  # as they were before the call


class Hint(str):
    """A sentence that fits some failures: of overflow, say, only where something is not finite."""

    fits: frozenset[Mismatch]

    def __new__(cls, text: str, *fits: Mismatch) -> "Hint":
        hint = super().__new__(cls, text)
        hint.fits = frozenset(fits)
        return hint


@dataclass(frozen=True, eq=False)
class Case:
    """One call, and how its outcome is judged. Equal only to itself, so that what is computed for it can be kept.

    `growth` is how many rounding errors of the largest expected value a right answer may be off by: it comes from the
    lengths of the sums and the size of the logits (docs/tolerance.md); `scale` is the largest value in sight where
    those expected may all be smaller, as gradients are that cancel, and `output_scale` is that of the output, as of a
    loss near zero. With `raises`, the call must raise one of these.
    `hint` is added to the message when the case fails: what is special about it, in a sentence; a Hint says how it must
    have failed. `what` it asks for, in words. With a `distribution` the result is random, and that is what is compared.
    The numbers of a result may be answers to `questions`, in their order: 1 is yes, 0 is no, -1 could not be measured.
    With a `statistic`, what it makes of each result is compared instead: the judge computes it, of plain values.
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
    distribution: Distribution | None = None
    statistic: Callable[[Any], Any] | None = None
    output_scale: float = 0.0
    questions: tuple[str, ...] = ()

    def hint_for(self, mismatch: Mismatch) -> str:
        """Returns the hint, where it fits: that an earlier result changed says what to do itself."""
        if mismatch is Mismatch.CHANGED_EARLIER:
            return ""
        return "" if isinstance(self.hint, Hint) and mismatch not in self.hint.fits else self.hint


@dataclass(frozen=True)
class StructureCall:
    """A call that is watched, not judged: it shows how the code is written.

    Those of one `kind` differ by nothing but the number of `heads`. A call of a part alone has no number.
    """

    call: Call
    heads: int | None = None
    kind: str = ""

    @property
    def name(self) -> str:
        """The name by which an outcome is told: `heads-16/training`, or the part's."""
        if self.heads is None:
            return self.call.function
        return f"heads-{self.heads}/{self.kind}".removesuffix("/")
