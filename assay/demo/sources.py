"""The files that made-up students send: the challenge's own mistakes, alone and in pairs, and its right answers."""

import ast
from dataclasses import dataclass
from random import Random
from typing import Final

from grader.exercise import Exercise
from grader.misconception import Misconception

# How often each mistake is made, from what real submissions were found to get wrong. What a challenge lacks is left.
COMMON: Final = {
    "rope-on-v": 13,
    "half-split-rope": 10,
    "missing-transpose-back": 9,
    "causal-mask": 9,
    "weights-not-transposed": 8,
    "rope-before-split": 8,
    "positions-ignored": 7,
    "reshape-before-transpose": 7,
    "loop-over-heads": 7,
    "scale-by-d-model": 6,
    "softmax-dim": 6,
    "missing-scale": 5,
    "theta-ignored": 5,
    "fixed-rank-transpose": 5,
    "unstable-softmax": 5,
    "divisibility-unchecked": 4,
    "mask-inverted": 4,
    "missing-output-projection": 4,
    "rope-direction": 4,
    "positions-off-by-one": 3,
    "input-mutated": 3,
    "rope-q-only": 3,
    "head-order": 3,
    "stale-cache": 2,
    "eps-outside-root": 9,
    "mean-subtracted": 8,
    "std-not-rms": 7,
    "sum-not-mean": 6,
    "dtype-not-kept": 9,
    "whole-tensor": 5,
    "wrong-axis": 5,
    "eps-missing": 6,
    "weight-missing": 4,
    "root-missing": 3,
    "eps-hard-coded": 4,
    "keepdim-missing": 5,
    "half-precision-statistics": 3,
}
PAIRS: Final = 18
Mistakes = frozenset[str]


@dataclass(frozen=True)
class Sources:
    """What can be sent. `wrong` has files with one mistake or two, by what is wrong with them."""

    wrong: dict[Mistakes, bytes]
    right: list[bytes]  # the first is what is left of the wrong ones when every mistake is mended
    broken: list[bytes]  # the starter as it was downloaded, and a file that does not parse

    @property
    def all(self) -> list[bytes]:
        """Every different file once."""
        return [*dict.fromkeys([*self.wrong.values(), *self.right, *self.broken])]


def sources_of(exercise: Exercise, random: Random) -> Sources:
    """Makes files that can be sent: the same ones for the same random numbers."""
    found = {item.name: item for item in exercise.misconceptions if item.name in COMMON}
    pairs = [
        (one, other)
        for one in found.values()
        for other in found.values()
        if one.name < other.name and one.is_compatible_with(other)
    ]
    groups: list[tuple[Misconception, ...]] = [(item,) for item in found.values()]
    groups += random.sample(pairs, min(PAIRS, len(pairs)))
    starter = exercise.starter().source
    right = [_as_student(exercise, ()), *(variant.submission.source for variant in exercise.variants("accepted"))]
    return Sources(
        wrong={frozenset(item.name for item in group): _as_student(exercise, group) for group in groups},
        right=right,
        broken=[starter, right[0].replace(b"return ", b"retrun ", 1)],
    )


def _as_student(exercise: Exercise, group: tuple[Misconception, ...]) -> bytes:
    """One definition of each name, the mistaken one, and none of the words in which we explain it."""
    body: dict[str, ast.stmt] = {}
    for number, statement in enumerate(ast.parse(exercise.submission_with(*group).source).body):
        name = getattr(statement, "name", None) or f"statement {number}"
        body[name] = _without_docstring(statement)
    kept = [statement for statement in body.values() if not _is_text(statement)]
    module = ast.Module(body=_imports_first(kept), type_ignores=[])
    return f"{ast.unparse(ast.fix_missing_locations(module))}\n".encode()


def _imports_first(statements: list[ast.stmt]) -> list[ast.stmt]:
    return sorted(statements, key=lambda statement: not isinstance(statement, ast.Import | ast.ImportFrom))


def _without_docstring(statement: ast.stmt) -> ast.stmt:
    for node in ast.walk(statement):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and _is_text(node.body[0]):
            node.body = node.body[1:] or [ast.Pass()]
    return statement


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
