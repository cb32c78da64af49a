"""A question with one student's numbers, and how an answer to it is marked. One class for each kind: here those that
are typed in as a number, a shape or a text.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import JsonValue

from grader.questions.quantity import in_unit, parse_quantity
from grader.questions.sections import Concept, Tolerance
from grader.questions.shape import Alphabet, Axis, parse_shape, same_shape
from grader.questions.units import USUAL, convert
from grader.questions.view import AnswerFormatError, Mark, MarkStatus, QuestionView

LONGEST_TEXT = 10_000
UNIT_SLIP_SHARE = 0.5  # the reasoning is right, the unit is not


@dataclass(frozen=True)
class Variant(ABC):
    """`view` may be shown at any time. All else is secret until an answer has earned it."""

    view: QuestionView

    @abstractmethod
    def mark(self, answer: JsonValue) -> Mark:
        """Raises AnswerFormatError, with a sentence for the student, when the answer is not of the question's form."""

    @property
    @abstractmethod
    def right(self) -> JsonValue:
        """An answer that earns all points; None where only a person can tell."""

    @property
    @abstractmethod
    def wrong(self) -> Sequence[JsonValue]:
        """Answers that must not earn all points: those the bank has a feedback for."""

    def _mark(self, share: float, feedback: str) -> Mark:
        status = MarkStatus.CORRECT if share == 1 else MarkStatus.PARTIAL if share > 0 else MarkStatus.INCORRECT
        points = self.view.points
        return Mark(status=status, score=round(share * points, 2), max_score=points, feedback=feedback)


@dataclass(frozen=True)
class ExpectedMistake:
    """A wrong answer, as a number or a shape, and what to say about it."""

    answer: float | str
    feedback: str


@dataclass(frozen=True)
class TypedVariant(Variant):
    """The answer is typed in. Each of `mistakes` is a wrong one with a feedback of its own; `nudge` is for the rest."""

    answer: float | str
    mistakes: tuple[ExpectedMistake, ...]
    nudge: str
    explanation: str

    @property
    def right(self) -> JsonValue:
        return self.answer

    @property
    def wrong(self) -> Sequence[JsonValue]:
        return [mistake.answer for mistake in self.mistakes]


@dataclass(frozen=True)
class NumberVariant(TypedVariant):
    """A number is asked for."""

    answer: float
    tolerance: Tolerance
    unit_names: tuple[str, ...]

    def mark(self, answer: JsonValue) -> Mark:
        quantity = parse_quantity(answer, self.view.unit)
        value = in_unit(quantity, self.view.unit, self.unit_names)
        if self._is_close(value, self.answer):
            return self._mark(1, self.explanation)
        for mistake in self.mistakes:
            if self._is_close(value, float(mistake.answer)):
                return self._mark(0, mistake.feedback)
        if quantity.unit is None and (slip := self._meant_unit(value)):
            feedback = f"Your number is right in {slip}, but the question asks for {self.view.unit}. {self.nudge}"
            return self._mark(UNIT_SLIP_SHARE, feedback)
        return self._mark(0, self.nudge)

    def _is_close(self, value: float, expected: float) -> bool:
        # The last term forgives the rounding of our own arithmetic and of a unit's conversion, nothing else.
        allowed = max(self.tolerance.absolute, self.tolerance.relative * abs(expected), 1e-12 * abs(expected))
        return abs(value - expected) <= allowed

    def _meant_unit(self, value: float) -> str | None:
        """The unit in which a bare number would have been right."""
        for name in USUAL:
            converted = convert(value, name, self.view.unit) if self.view.unit else None
            if converted is not None and self._is_close(converted, self.answer):
                return name
        return None


@dataclass(frozen=True)
class ShapeVariant(TypedVariant):
    """A shape is to be given; equal is what is equal by value, whatever the symbols."""

    alphabet: Alphabet

    @cached_property
    def _answer_axes(self) -> tuple[Axis, ...]:
        return parse_shape(self.answer, self.alphabet)

    @cached_property
    def _mistake_axes(self) -> tuple[tuple[Axis, ...], ...]:
        return tuple(parse_shape(mistake.answer, self.alphabet) for mistake in self.mistakes)

    def mark(self, answer: JsonValue) -> Mark:
        given = parse_shape(answer, self.alphabet)
        if same_shape(given, self._answer_axes):
            return self._mark(1, self.explanation)
        for mistake, axes in zip(self.mistakes, self._mistake_axes, strict=True):
            if same_shape(given, axes):
                return self._mark(0, mistake.feedback)
        return self._mark(0, self.nudge)


@dataclass(frozen=True)
class TextVariant(Variant):
    """`rubric` is for the person who marks."""

    rubric: tuple[Concept, ...]

    def mark(self, answer: JsonValue) -> Mark:
        if not isinstance(answer, str) or not answer.strip() or len(answer) > LONGEST_TEXT:
            raise AnswerFormatError(f"Answer in your own words, with at most {LONGEST_TEXT:,} characters.")
        kept = "Your answer is saved and awaiting review."
        return Mark(status=MarkStatus.PENDING, score=0, max_score=self.view.points, feedback=kept)

    @property
    def right(self) -> JsonValue:
        return None

    @property
    def wrong(self) -> Sequence[JsonValue]:
        return []
