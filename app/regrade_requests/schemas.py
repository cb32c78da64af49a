"""Regrade requests, as they are sent and shown."""

from datetime import datetime
from typing import Annotated, Final, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from app.comments.schemas import LINE_MAX
from app.models import RequestOutcome
from app.request_values import Paragraphs, Sent, View
from grader.report import Verdict

NAMED_MAX: Final = 20  # tests in one request, and lines

TestName = Annotated[str, StringConstraints(max_length=200)]
LineNumber = Annotated[int, Field(ge=1, le=LINE_MAX)]
GivenOutcome = Literal[RequestOutcome.UNCHANGED, RequestOutcome.POINTS_CHANGED, RequestOutcome.GRADED_AGAIN]


class NewRequest(Sent):
    """A request to make. Tests and lines may be named."""

    reason: Paragraphs
    tests: tuple[TestName, ...] = Field(
        default=(), fail_fast=True, max_length=NAMED_MAX, description="their ids, as your report has them"
    )
    file: Annotated[str, StringConstraints(max_length=255)] | None = Field(
        default=None, description="the path of the file that the lines are in; null: the uploaded file"
    )
    lines: tuple[LineNumber, ...] = Field(default=(), fail_fast=True, max_length=NAMED_MAX)

    @model_validator(mode="after")
    def _has_a_line_where_it_has_a_file(self) -> Self:
        if self.file is not None and not self.lines:
            raise ValueError("Say which lines of the file it is about, or leave the file out.")
        return self


class Answer(Sent):
    """An answer, which closes the request."""

    outcome: GivenOutcome
    answer: Paragraphs


class NamedTest(View):
    """A test as the report named it when the student asked."""

    id: str
    title: str


class RequestView(View):
    """A request on a submission. People are told by the name that the course uses, and their account's."""

    id: str
    submission: str
    reason: str
    tests: list[NamedTest]
    file: str | None
    lines: list[int]
    asked_at: datetime
    outcome: RequestOutcome | None = Field(description="null while it is open")
    answer: str | None
    answered_by: str | None
    answered_by_full_name: str | None
    closed_at: datetime | None


class RequestList(View):
    """The requests on a submission, the oldest first."""

    items: list[RequestView]
    refusal: str | None = Field(description="why you cannot make a request now; null: you can")


class CourseRequest(RequestView):
    """A request as staff see it, with the submission as it is now."""

    student: str
    student_full_name: str | None
    assignment: str
    assignment_title: str
    attempt: int
    verdict: Verdict | None
    score: float | None
    max_score: float | None
    summary: str | None = Field(description="the first sentence of the report")


class CourseRequestPage(View):
    """A page of a course's requests."""

    items: list[CourseRequest]
    next_cursor: str | None
    open: int = Field(description="how many are open in the whole course")


class CourseRequestView(CourseRequest):
    """A request that is to be answered, and how much its student sees."""

    is_held: bool = Field(description="the student sees neither result nor answer until grades are released")
    is_told_all: bool = Field(description="whether the student sees the whole report now")
