"""A hand-out about one misconception. Nothing in it says whose code it shows."""

from pydantic import Field

from app.request_values import View
from grader.questions import QuestionView


class ExcerptView(View):
    """Lines of students' code without comments, strings, long numbers and names of their own."""

    lines: list[str]
    marked: int = Field(description="the place of the line that is meant, from 0")


class HuntFile(View):
    """The misconception as a bug of the exercise's hunt. For staff alone: it tells what is to be found."""

    symptom: str
    files: int = Field(description="how many files have it")


class Handout(View):
    """What a class can be taught a misconception with."""

    course: str
    assignment: str
    assignment_title: str
    id: str
    title: str
    explanation: str
    excerpts: list[ExcerptView] = Field(description="none while too few students have shown it: excerpts_from")
    excerpts_from: int = Field(description="how many different students must have shown it before any code is shown")
    example: str | None = Field(description="the smallest failing example, as students see it after failing")
    question: QuestionView | None = Field(description="a variant that grading does not use; without the answer")
    hunt: HuntFile | None
    is_told: bool = Field(description="whether the assignment tells students causes and grades now")
