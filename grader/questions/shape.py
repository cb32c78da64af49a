"""Tensor shapes as people type them, compared by value: two shapes are equal when every axis is, whatever the symbols
stand for.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from grader.questions.axis import evaluate_axis, is_name, tokens_of
from grader.questions.formula import FormulaError, Number
from grader.questions.view import AnswerFormatError

LONGEST = 200
MOST_AXES = 12
# Two sets of values for the symbols: no number that a person would type agrees with a symbol in both.
PROBES = ((10007, 10037, 10067, 10091, 10111, 10133), (20011, 20029, 20047, 20071, 20101, 20123))
MOST_SYMBOLS = len(PROBES[0])

_CLOSING = {"(": ")", "[": "]"}
_WRAPPERS = {"", "size", "torch.size", "torch."}

Axis = tuple[float, ...]


@dataclass(frozen=True)
class Alphabet:
    """The names that a shape may use: symbols without a value, each with other spellings, and numbers with a name."""

    symbols: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, Number]

    def values(self, probe: int) -> dict[str, Number]:
        """Every spelling, in lower case, with the value it has in that probe."""
        found: dict[str, Number] = {name.lower(): value for name, value in self.numbers.items()}
        for (name, spellings), value in zip(self.symbols.items(), PROBES[probe], strict=False):
            found |= {spelling.lower(): value for spelling in (name, *spellings)}
        return found


def parse_shape(given: JsonValue, alphabet: Alphabet) -> tuple[Axis, ...]:
    """Each axis as its values in the probes. Raises AnswerFormatError."""
    if not isinstance(given, str) or len(given) > LONGEST:
        raise _not_a_shape(alphabet)
    inner = _unwrap(given.strip())
    axes = inner.removesuffix(",").split(",") if inner else []
    if len(axes) > MOST_AXES:
        raise _not_a_shape(alphabet)
    probes = [alphabet.values(probe) for probe in range(len(PROBES))]
    try:
        tokens = [tokens_of(axis) for axis in axes]
        for name in (token for axis in tokens for token in axis if is_name(token)):
            if name.lower() not in probes[0]:
                raise _unknown(name, alphabet)
        return tuple(tuple(evaluate_axis(axis, probe) for probe in probes) for axis in tokens)
    except FormulaError as error:
        raise _not_a_shape(alphabet) from error


def _unwrap(text: str) -> str:
    """Takes off the brackets around the whole, and `torch.Size` before them, not those of an axis such as (d/2), 3."""
    before, bracket, rest = _first_bracket(text)
    if before.strip().lower() not in _WRAPPERS or rest[-1:] != _CLOSING.get(bracket, "none"):
        return text
    inner = rest[:-1].strip()
    if bracket == "(" and inner[:1] == "[" and inner[-1:] == "]":
        inner = inner[1:-1].strip()
    return inner if _is_balanced(inner) else text


def _first_bracket(text: str) -> tuple[str, str, str]:
    """What is before it, itself, what is after it."""
    place = next((place for place, sign in enumerate(text) if sign in _CLOSING), len(text))
    return text[:place], text[place : place + 1], text[place + 1 :]


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def _unknown(name: str, alphabet: Alphabet) -> AnswerFormatError:
    known = ", ".join(alphabet.symbols)
    return AnswerFormatError(f"{name[:30]!r} is not a name in this question; use numbers, or {known}.")


def _not_a_shape(alphabet: Alphabet) -> AnswerFormatError:
    example = ", ".join([*alphabet.symbols, "7"])
    return AnswerFormatError(f"Write a shape with its axes between commas, such as ({example}); + - * / may be used.")


def same_shape(left: tuple[Axis, ...], right: tuple[Axis, ...]) -> bool:
    """Whether both are equal in number of axes, and in every axis for all values of the symbols."""
    return len(left) == len(right) and all(
        math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
        for axes in zip(left, right, strict=True)
        for one, other in zip(*axes, strict=True)
    )
