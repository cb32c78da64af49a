"""Questions, answers and marks."""

from typing import Annotated, Any

from pydantic import Field, FiniteFloat

from app.models import Role
from app.questions import service
from app.request_values import Sent, View
from grader.questions import Mark, QuestionView

Text = Annotated[str, Field(max_length=10_000)]
WholeNumber = Annotated[int, Field(ge=-(2**53), le=2**53)]
# What an answer can be: a number, an option, a shape or a text, or options in an order.
Given = WholeNumber | FiniteFloat | Text | Annotated[list[Text], Field(fail_fast=True, max_length=64)]


class AnswerIn(Sent):
    """An answer to a question."""

    question: Annotated[str, Field(max_length=100)]
    answer: Given


class AnswersIn(Sent):
    """Answers to several questions."""

    answers: Annotated[list[AnswerIn], Field(fail_fast=True, min_length=1, max_length=100)]


class GivenAnswer(View):
    """The last answer to a question, and its mark."""

    given: Any
    mark: Mark
    is_held: bool = Field(description="the mark is not told yet")
    is_late: bool
    is_given_up: bool = Field(description="the service could not run the line: it costs no try, and can be sent again")
    marked_by: Role | None = Field(description="what the person who marked it is in the course; null: a machine")


class Solution(View):
    """The right answer, where the assignment shows it."""

    answer: Any
    explanation: str


class NextStep(View):
    """What the student may do after an answer."""

    answers_left: int | None = Field(description="null where there is no limit")
    refusal: str | None = Field(description="why no answer is taken any more; null: it is")
    solution: Solution | None


class AskedQuestion(QuestionView, NextStep):
    """A question as this student gets it, with the last answer."""

    answer: GivenAnswer | None


class QuestionList(View):
    """The questions of a submission."""

    items: list[AskedQuestion]


class MarkedAnswer(GivenAnswer, NextStep):
    """An answer with its mark, and what the student may do next."""

    question: str


class AnswerList(View):
    """The marked answers."""

    items: list[MarkedAnswer]


def question_of(asked: service.Asked) -> AskedQuestion:
    """Returns a question as its student sees it."""
    answer = GivenAnswer.of(asked.answer) if asked.answer else None
    return AskedQuestion(**dict(asked.view), **_next_step(asked), answer=answer)


def marked_of(asked: service.Asked) -> MarkedAnswer:
    """Returns an answer with its mark. `asked` must have an answer."""
    assert asked.answer is not None
    return MarkedAnswer(question=asked.view.id, **dict(GivenAnswer.of(asked.answer)), **_next_step(asked))


def _next_step(asked: service.Asked) -> dict[str, Any]:
    return {
        "answers_left": asked.answers_left,
        "refusal": asked.refusal,
        "solution": Solution.of(asked.solution) if asked.solution else None,
    }
