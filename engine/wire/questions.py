"""Questions, and the answers to them, as the server tells them."""

from pydantic import JsonValue

from engine.wire.base import Wire


class Option(Wire):
    """One of the answers to choose from."""

    id: str
    text: str


class Mark(Wire):
    """What an answer was given, and why."""

    status: str
    score: float
    max_score: float
    feedback: str = ""


class Answer(Wire):
    """`marked_by` is what the person who marked it is in the course; None: a machine did."""

    given: JsonValue
    mark: Mark
    is_late: bool = False
    marked_by: str | None = None


class Solution(Wire):
    """What would have been right."""

    answer: JsonValue
    explanation: str = ""


class AfterAnswer(Wire):
    """What may follow an answer. `refusal` says why nothing more is taken."""

    answers_left: int | None = None
    refusal: str | None = None
    solution: Solution | None = None


class Question(AfterAnswer):
    """A question as the student may see it now."""

    id: str
    kind: str
    prompt: str
    code: str | None = None
    points: float
    unit: str | None = None
    options: tuple[Option, ...] = ()
    hint: str | None = None
    answer: Answer | None = None


class MarkedAnswer(Answer, AfterAnswer):
    """An answer that was just sent, with its mark."""
