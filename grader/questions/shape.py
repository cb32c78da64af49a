"""Tensor shapes as people type them, compared by value: two shapes are equal when every axis is, whatever the symbols
stand for.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from grader.questions.formula import FormulaError, Number, evaluate_plain
from grader.questions.view import AnswerFormatError

LONGEST = 200
MOST_AXES = 12
# Two sets of values for the symbols: no number that a person would type agrees with a symbol in both.
PROBES = ((10007, 10037, 10067, 10091, 10111, 10133), (20011, 20029, 20047, 20071, 20101, 20123))
MOST_SYMBOLS = len(PROBES[0])

_AXIS = re.compile(r"(?:\s*(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]{1,9}(?![A-Za-z0-9_])|//|[-+*/()]))+\s*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WRAPPED = re.compile(r"(?:torch\.)?(?:Size)?\s*(?:\(\s*\[(.*)\]\s*\)|\((.*)\)|\[(.*)\])", re.DOTALL | re.IGNORECASE)

Axis = tuple[Number, ...]


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
    if len(axes) > MOST_AXES or not all(_AXIS.fullmatch(axis) for axis in axes):
        raise _not_a_shape(alphabet)
    probes = [alphabet.values(probe) for probe in range(len(PROBES))]
    for name in _NAME.findall(inner):
        if name.lower() not in probes[0]:
            known = ", ".join(alphabet.symbols)
            message = f"{name[:30]!r} is not a name that this question knows; use numbers, or {known}."
            raise AnswerFormatError(message)
    try:
        return tuple(tuple(evaluate_plain(axis.lower(), probe) for probe in probes) for axis in axes)
    except FormulaError as error:
        raise _not_a_shape(alphabet) from error


def _unwrap(text: str) -> str:
    """Takes off the brackets around the whole, not those of an axis such as (d/2), 3."""
    match = _WRAPPED.fullmatch(text)
    inner = next((group for group in match.groups() if group is not None), "") if match else text
    return inner.strip() if _is_balanced(inner) else text


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def _not_a_shape(alphabet: Alphabet) -> AnswerFormatError:
    example = ", ".join([*alphabet.symbols, "7"])
    return AnswerFormatError(f"Write a shape with its axes between commas, such as ({example}); + - * / may be used.")


def same_shape(left: tuple[Axis, ...], right: tuple[Axis, ...]) -> bool:
    """Equal in number of axes, and in every axis for all values of the symbols."""
    return len(left) == len(right) and all(
        math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
        for axes in zip(left, right, strict=True)
        for one, other in zip(*axes, strict=True)
    )
