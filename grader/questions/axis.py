"""One axis of a shape as people type it, `2*d/heads`: read once, from left to right, without going back."""

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from grader.questions.formula import FormulaError, Number

# Alternatives that begin with different signs, and no repeat within a repeat: there is one way to read a text.
_TOKEN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|//|[-+*/()]")
_LONGEST_NUMBER: Final = 9
_NEGATE: Final = "negate"
_BINDS: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, _NEGATE: 3}
_APPLY: Final[Mapping[str, Callable[[Number, Number], Number]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
}


def tokens_of(axis: str) -> list[str]:
    """Splits an axis into names, numbers, operators and brackets. Raises FormulaError for anything else."""
    found: list[str] = []
    place = 0
    for match in _TOKEN.finditer(axis):
        if axis[place : match.start()].strip() or _is_glued(axis, place, match):
            raise FormulaError(f"{axis!r} contains something that is not part of an axis")
        found.append(match[0])
        place = match.end()
    if axis[place:].strip():
        raise FormulaError(f"{axis!r} contains something that is not part of an axis")
    return found


def _is_glued(axis: str, place: int, match: re.Match[str]) -> bool:
    """A name that follows a number without a space, `2x`, or a number that Python would not take, `007`."""
    word = match[0]
    if word[0].isdigit():
        return len(word) > _LONGEST_NUMBER or (word[0] == "0" and word.strip("0") != "")
    return is_name(word) and match.start() == place > 0 and axis[place - 1].isdigit()


def is_name(token: str) -> bool:
    """Whether a token of an axis is a name, and no number or operator."""
    return token[0].isalpha() or token[0] == "_"


def evaluate_axis(tokens: Sequence[str], values: Mapping[str, Number]) -> float:
    """The value by precedence; `values` by names in lower case. With a stack instead of recursion, so that no depth of
    brackets is too deep.

    Raises FormulaError where there is none: a bracket without its partner, a division by zero, a number too large.
    """
    stack = _Stack()
    wants_value = True
    for token in tokens:
        wants_value = stack.begin(token, values) if wants_value else stack.go_on(token)
    if wants_value:
        raise FormulaError("a value is missing at the end")
    return stack.result()


class _Stack:
    """Values that wait for their operator, and operators that wait for their second value."""

    def __init__(self) -> None:
        self._values: list[Number] = []
        self._operators: list[str] = []

    def begin(self, word: str, values: Mapping[str, Number]) -> bool:
        """Takes a value, or what may stand before one. Returns whether a value must follow."""
        if word in {"-", "("}:
            self._operators.append(_NEGATE if word == "-" else word)
            return True
        name = word.lower()
        if name not in values and not word.isdigit():
            raise FormulaError(f"{word!r} is where a value should be")
        self._values.append(values[name] if name in values else int(word))
        return False

    def go_on(self, word: str) -> bool:
        """Takes what may follow a value. Returns whether a value must follow."""
        if word == ")":
            self._apply_down_to(0)
            if not self._operators:
                raise FormulaError("there is a closing bracket without an opening one")
            self._operators.pop()
            return False
        if word not in _APPLY:
            raise FormulaError(f"{word!r} is where an operator should be")
        self._apply_down_to(_BINDS[word])
        self._operators.append(word)
        return True

    def result(self) -> float:
        self._apply_down_to(0)
        if self._operators:
            raise FormulaError("a bracket is not closed")
        try:
            value = float(self._values[0])
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            raise FormulaError("the number is too large")
        return value

    def _apply_down_to(self, binds: int) -> None:
        """Apply what binds at least so tightly, back to the last bracket."""
        while self._operators and self._operators[-1] != "(" and _BINDS[self._operators[-1]] >= binds:
            self._apply(self._operators.pop())

    def _apply(self, name: str) -> None:
        right = self._values.pop()
        if name == _NEGATE:
            self._values.append(-right)
            return
        try:
            self._values.append(_APPLY[name](self._values.pop(), right))
        except ArithmeticError as error:
            raise FormulaError(f"{name!r} has no result here: {error}") from error
