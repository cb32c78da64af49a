"""A student's numbers for one question: drawn from (question, student) alone, so that they never change."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from string import Formatter, ascii_lowercase
from typing import TypeVar

from grader.questions.formula import FormulaError, Number, evaluate, holds
from grader.questions.parts import VariantPart, part_of, values_of
from grader.questions.sections import QuestionSection, Range
from grader.questions.view import Option

MOST_TRIES = 1000
WIDEST = 100  # characters that a format asks for
T = TypeVar("T")


class NoDrawError(FormulaError):
    """`require` asks for what cannot be had."""


@dataclass(frozen=True)
class Split:
    """From which part of a question's variants is drawn: `name` is the parameter whose values are split."""

    name: str | None = None
    part: VariantPart = VariantPart.ALL

    def choices(self, name: str, param: tuple[Number, ...] | Range) -> Sequence[Number]:
        """The values that this parameter is drawn from."""
        values = values_of(param)
        return part_of(values, self.part) if name == self.name else values


WHOLE = Split()


@dataclass(frozen=True)
class Draw:
    """Parameters and computed values by name, and the source of further chance."""

    names: Mapping[str, Number]
    _random: Random

    def number(self, formula: str) -> Number:
        """Raises FormulaError."""
        return evaluate(formula, self.names)

    def text(self, template: str) -> str:
        """The template with this student's numbers. Raises FormulaError."""
        try:
            return "".join(_filled(template, self.names))
        except (ValueError, OverflowError) as error:
            raise FormulaError(f"{template[:60]!r}: {error}") from error

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Returns the items in an order of this student's, never the one they came in."""
        order = list(range(len(items)))
        while order == list(range(len(items))):
            self._random.shuffle(order)
        return [items[index] for index in order]

    def mixed(self, items: Sequence[T]) -> list[T]:
        """Returns the items in any order, the one they came in included."""
        return self._random.sample(items, len(items))


def draw(
    section: QuestionSection, student: str, facts: Mapping[str, Number] | None = None, split: Split = WHOLE
) -> Draw:
    """Without `facts` of a run, these are drawn too. Raises FormulaError when a formula has no value, NoDrawError when
    no draw meets the requirement.
    """
    digest = hashlib.sha256(f"{section.id}\0{student}".encode("utf-8", "surrogatepass")).digest()
    random = Random(digest)  # noqa: S311  chance that repeats is what is wanted here
    fixed = {} if facts is None else {name: facts[name] for name in section.facts}
    drawn = section.params if fixed else {**section.facts, **section.params}
    choices = {name: split.choices(name, param) for name, param in drawn.items()}
    for _ in range(MOST_TRIES if drawn else 1):
        names = fixed | {name: random.choice(each) for name, each in choices.items()}
        if section.require is None or holds(section.require, names):
            break
    else:
        raise NoDrawError(f"no draw out of {MOST_TRIES} meets {section.require!r}")
    for name, formula in section.values.items():
        names[name] = evaluate(formula, names)
    return Draw(names, random)


def _filled(template: str, names: Mapping[str, Number]) -> Iterator[str]:
    for literal, field, spec, conversion in Formatter().parse(template):
        yield literal
        if field is None:
            continue
        if field not in names or conversion:
            message = f"{{{field}}} is not a parameter or a value of this question; a brace itself is written twice"
            raise ValueError(message)
        yield format_number(names[field], spec or "")


def format_number(value: Number, spec: str = "") -> str:
    """Writes 64, not 64.0: a quotient that comes out even is read as a whole number."""
    if any(int(digits) > WIDEST for digits in re.findall("[0-9]+", spec)):
        raise ValueError(f"the format {spec[:20]!r} asks for more than {WIDEST} characters")
    if isinstance(value, float):
        value = int(value) if value.is_integer() else value
        spec = spec or ("d" if isinstance(value, int) else ".4g")
    return format(value, spec)


def lettered(texts: Sequence[str]) -> tuple[Option, ...]:
    """Options a, b, c ... in the order they are shown in."""
    return tuple(Option(id=letter, text=text) for letter, text in zip(ascii_lowercase, texts, strict=False))
