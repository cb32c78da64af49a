"""A step of a program: an operation, and what it was applied to a few levels down. Equal labels are equal steps."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

DEPTH: Final = 2  # less is what everybody has to write, more is lost with the first line that is changed
STEPS_MAX: Final = 5_000  # twenty times an honest file
COMMUTATIVE: Final = frozenset({"add", "mul", "And", "Or", "Eq", "NotEq"})


@dataclass(frozen=True, slots=True)
class Value:
    """The result of an operation. `labels[d]` stands for the operation and what it was applied to, d levels down."""

    operation: str
    labels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CodeStep:
    """An operation, and where it stands in the source."""

    label: int
    first_line: int
    last_line: int


class TooManySteps(Exception):
    """Raised when helpers that call each other multiply beyond what an honest file has."""


class CodeSteps(list[CodeStep]):
    """The steps of a file, as they are found."""

    def add(self, operation: str, given: Sequence[Value], node: ast.expr | ast.stmt) -> Value:
        """Notes a step and returns its result. Raises TooManySteps."""
        if len(self) >= STEPS_MAX:
            raise TooManySteps
        value = value_of(operation, given)
        self.append(CodeStep(value.labels[DEPTH], node.lineno, node.end_lineno or node.lineno))
        return value


def value_of(operation: str, given: Sequence[Value] = ()) -> Value:
    """The result of an operation on these."""
    labels = [hash_of(operation)]
    for depth in range(DEPTH):
        under = [each.labels[depth] for each in given]
        labels.append(hash_of(operation, *(sorted(under) if operation in COMMUTATIVE else under)))
    return Value(operation, tuple(labels))


def bounds_of(given: Sequence[Value]) -> Sequence[Value]:
    """The bounds of a `range`, without those that it has anyway."""
    match given:
        case [start, end, step] if step == value_of("constant 1"):
            return bounds_of([start, end])
        case [start, end] if start == value_of("constant 0"):
            return [end]
        case _:
            return given


def hash_of(*parts: object) -> int:
    """Returns a hash that is the same in every process, unlike Python's own of a string."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest())
