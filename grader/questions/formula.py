"""Arithmetic over named numbers, from an author's bank. No attributes, no text, no surprises."""

import ast
import math
import operator
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache

from simpleeval import InvalidExpression, SimpleEval, safe_power

Number = int | float
FUNCTIONS: dict[str, Callable[..., Number]] = {
    "abs": abs,
    "ceil": math.ceil,
    "cos": math.cos,
    "exp": math.exp,
    "floor": math.floor,
    "log": math.log,
    "log2": math.log2,
    "max": max,
    "min": min,
    "round": round,
    "sin": math.sin,
    "sqrt": math.sqrt,
}
CONSTANTS: dict[str, Number] = {"pi": math.pi}
RESERVED = FUNCTIONS.keys() | CONSTANTS.keys()

Operators = dict[type[ast.AST], Callable[..., object]]
_ARITHMETIC: Operators = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.USub: operator.neg,
}
_COMPARISON: Operators = {
    ast.Mod: operator.mod,
    ast.Pow: safe_power,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Not: operator.not_,
}


class FormulaError(Exception):
    """The formula has no value: it does not parse, uses something unknown, divides by zero ..."""


class _Calculator:
    """One evaluator, used by one thread at a time: it keeps the names of the formula at hand in itself."""

    def __init__(
        self,
        nodes: set[type[ast.AST]],
        operators: Operators,
        functions: Mapping[str, Callable[..., Number]],
    ) -> None:
        self._lock = threading.Lock()
        self._evaluator = SimpleEval(operators=operators, functions=dict(functions), names={})
        self._evaluator.nodes = {kind: handle for kind, handle in self._evaluator.nodes.items() if kind in nodes}

    def calculate(self, formula: str, names: Mapping[str, Number]) -> Number | bool:
        try:
            tree = _parse(formula)
            with self._lock:
                self._evaluator.names = dict(names)
                result = self._evaluator.eval(formula, previously_parsed=tree)
            if isinstance(result, int | float) and math.isfinite(result):  # raises where no float is so large
                return result
        except (InvalidExpression, SyntaxError, ValueError, ArithmeticError, TypeError, KeyError) as error:
            why = "write names without braces, as in 2 * n" if "{" in formula else error
            raise FormulaError(f"{formula!r} has no value: {why}") from error
        except RecursionError as error:
            raise FormulaError(f"{formula!r} is nested too deeply to be computed") from error
        raise FormulaError(f"{formula!r} is {result!r}, not a finite number")


@lru_cache(maxsize=2048)
def _parse(formula: str) -> ast.expr:
    return ast.parse(formula.strip(), mode="eval").body


_SIMPLE: set[type[ast.AST]] = {ast.Name, ast.Constant, ast.UnaryOp, ast.BinOp}
_AUTHORS = _Calculator(
    _SIMPLE | {ast.Compare, ast.BoolOp, ast.IfExp, ast.Call}, {**_ARITHMETIC, **_COMPARISON}, FUNCTIONS
)


def evaluate(formula: str, names: Mapping[str, Number]) -> Number:
    """The value of an author's formula. Raises FormulaError."""
    result = _AUTHORS.calculate(formula, {**CONSTANTS, **names})
    if isinstance(result, bool):
        raise FormulaError(f"{formula!r} is a condition, not a number")
    return result


def holds(condition: str, names: Mapping[str, Number]) -> bool:
    """Whether an author's condition is true. Raises FormulaError."""
    return bool(_AUTHORS.calculate(condition, {**CONSTANTS, **names}))
