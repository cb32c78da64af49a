"""Questions about code: what it prints, and the line that it lacks. Nothing is run here."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from grader.questions.printed import same_output
from grader.questions.sections import GAP
from grader.questions.variant import TypedVariant
from grader.questions.view import AnswerFormatError, Mark, MarkStatus

LONGEST_OUTPUT = 1000
LONGEST_LINE = 300


@dataclass(frozen=True)
class OutputVariant(TypedVariant):
    """What a program prints is to be said, or the name of the error that it ends with."""

    answer: str

    def mark(self, answer: JsonValue) -> Mark:
        if isinstance(answer, bool) or not isinstance(answer, int | float | str) or not str(answer).strip():
            raise _no_output()
        given = str(answer)
        if len(given) > LONGEST_OUTPUT:
            raise _no_output()
        if same_output(given, self.answer):
            return self._mark(1, self.explanation)
        for mistake in self.mistakes:
            if same_output(given, str(mistake.answer)):
                return self._mark(0, mistake.feedback)
        return self._mark(0, self.nudge)


def _no_output() -> AnswerFormatError:
    return AnswerFormatError(f"Write what is printed, with at most {LONGEST_OUTPUT:,} characters.")


@dataclass(frozen=True)
class LineVariant(TypedVariant):
    """Marked by running it (`grader.mark_line`); until then the mark is pending."""

    answer: str
    function: str
    inputs: dict[str, str]

    def mark(self, answer: JsonValue) -> Mark:
        self.filled(answer)
        told = "Your line is running; you will get the mark in a moment."
        return Mark(status=MarkStatus.PENDING, score=0, max_score=self.view.points, feedback=told)

    def filled(self, line: JsonValue) -> str:
        """The code with this line in its gap. Raises AnswerFormatError when it is not one line."""
        text = line.strip() if isinstance(line, str) else ""
        if len(text.splitlines()) != 1 or len(text) > LONGEST_LINE or not text.isprintable():
            message = f"Write what belongs in place of {GAP}: one line of Python, at most {LONGEST_LINE} characters."
            raise AnswerFormatError(message)
        before, _, after = str(self.view.code).partition(GAP)
        start = before.rpartition("\n")[2].strip()
        # Who writes the whole line out, `x = ...`, means the same as who writes what is missing of it.
        return before + _without(start.split(), text) + after

    def scored(self, share: float, feedback: str) -> Mark:
        """The mark for a line that was run: a share of the points from 0 to 1, and what to say."""
        return self._mark(share, feedback)


def _without(beginning: Sequence[str], text: str) -> str:
    """The text without these words at its beginning, however they are spaced; all of it where it begins otherwise."""
    rest = text
    for word in beginning:
        rest = rest.lstrip()
        if not rest.startswith(word):
            return text
        rest = rest[len(word) :]
    is_within_a_word = bool(beginning) and _is_of_a_word(beginning[-1][-1:]) and _is_of_a_word(rest[:1])
    return text if is_within_a_word else rest.strip()


def _is_of_a_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
