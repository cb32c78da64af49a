"""Which of a question's variants practice draws, and which grading draws: never the same ones.

One parameter on which the right answer depends is split: practice has every third of its values, grading the others. A
question without such a parameter has one answer for everybody, and one that shows options is known by their texts
whatever numbers they hold: practice shows these, and does not mark them.
"""

import ast
from collections.abc import Iterator, Sequence
from enum import StrEnum
from string import Formatter
from typing import Final

from grader.questions.formula import Number
from grader.questions.sections import (
    AnyQuestion,
    LineSection,
    NumberSection,
    OutputSection,
    Range,
    ShapeSection,
    TextSection,
)

LEAST_VALUES: Final = 3  # so that grading keeps two of them
EVERY: Final = 3


class VariantPart(StrEnum):
    """The part of a question's variants that some are drawn from."""

    ALL = "all"  # as everything was drawn before there were parts, and as authors see it
    PRACTICE = "practice"
    GRADED = "graded"


def values_of(param: tuple[Number, ...] | Range) -> Sequence[Number]:
    """All values of a parameter, listed or a range."""
    return range(param.min, param.max + 1, param.step) if isinstance(param, Range) else param


def part_of(values: Sequence[Number], part: VariantPart) -> Sequence[Number]:
    """The values of the parameter that is split that this part draws from."""
    if part is VariantPart.ALL:
        return values
    distinct = list(dict.fromkeys(values))
    is_practised = part is VariantPart.PRACTICE
    return [value for place, value in enumerate(distinct) if (place % EVERY == 1) == is_practised]


def candidates(section: AnyQuestion) -> list[str]:
    """The parameters that may be split, those with most values first."""
    if not isinstance(section, NumberSection | ShapeSection | OutputSection):
        return []
    needed = _needed(section)
    sizes = {name: len(set(values_of(param))) for name, param in section.params.items() if name in needed}
    return sorted((name for name, size in sizes.items() if size >= LEAST_VALUES), key=lambda name: -sizes[name])


def is_practised_as_it_is(section: AnyQuestion) -> bool:
    """A text waits for a person either way. A line is code: practised like the exercise's own, and sent again."""
    return isinstance(section, TextSection | LineSection)


def _needed(section: NumberSection | ShapeSection | OutputSection) -> set[str]:
    """All names that the right answer is computed from."""
    is_formula = isinstance(section, NumberSection)
    waiting = list(_names(section.answer) if is_formula else _fields(section.answer))
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += _names(section.values.get(name, "0"))
    return needed


def _names(formula: str) -> Iterator[str]:
    try:
        tree = ast.parse(formula.strip(), mode="eval")
    except SyntaxError:  # told when it is drawn
        return
    yield from (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _fields(template: str) -> Iterator[str]:
    try:
        yield from (field for _, field, _, _ in Formatter().parse(template) if field)
    except ValueError:  # told when it is drawn
        return
