"""Questions, answers and marks."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from grader.questions import Mark, QuestionView

Text = Annotated[str, Field(max_length=10_000)]
WholeNumber = Annotated[int, Field(ge=-(2**53), le=2**53)]
# What an answer can be: a number, an option, a shape or a text, or options in an order.
Given = WholeNumber | FiniteFloat | Text | Annotated[list[Text], Field(max_length=64)]


class View(BaseModel):
    model_config = ConfigDict(frozen=True)


class AnswerIn(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Annotated[str, Field(max_length=100)]
    answer: Given


class AnswersIn(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    answers: Annotated[list[AnswerIn], Field(min_length=1, max_length=100)]


class GivenAnswer(View):
    given: Any
    mark: Mark


class AskedQuestion(QuestionView):
    """A question as this student gets it, with the last answer."""

    answer: GivenAnswer | None


class QuestionList(View):
    items: list[AskedQuestion]


class MarkedAnswer(GivenAnswer):
    question: str


class AnswerList(View):
    items: list[MarkedAnswer]
