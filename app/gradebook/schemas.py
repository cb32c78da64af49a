"""What staff send and see of a gradebook, of exceptions and of overrides."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from app.assignments.schedule import Phase
from app.assignments.schemas import AssignmentView
from app.gradebook.book import CellState
from app.request_values import Line, Moment, Sent, View
from app.submissions.schemas import SubmissionItem

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Reason = Line


class NewException(Sent):
    """More time or more attempts in an assignment, for a student or for a section."""

    student: Name | None = Field(default=None, description="their name; or else a section")
    section: Name | None = None
    due_at: Moment | None = Field(default=None, description="later than the assignment's own")
    closes_at: Moment | None = Field(default=None, description="later than the assignment's own")
    extra_attempts: Annotated[int, Field(ge=0, le=10_000)] = 0
    reason: Reason

    @model_validator(mode="after")
    def _is_for_one(self) -> Self:
        if (self.student is None) == (self.section is None):
            raise ValueError("say whom the exception is for: either a student or a section")
        return self

    @model_validator(mode="after")
    def _gives_something(self) -> Self:
        if self.due_at is None and self.closes_at is None and not self.extra_attempts:
            raise ValueError("give more time (due_at or closes_at), extra_attempts, or both")
        if self.due_at is not None and self.closes_at is not None and self.closes_at < self.due_at:
            raise ValueError("closes_at must not be before due_at")
        return self


class ExceptionView(View):
    """An exception from an assignment's terms."""

    id: str
    student: str | None
    full_name: str | None
    section: str | None
    due_at: datetime | None
    closes_at: datetime | None
    extra_attempts: int
    reason: str
    given_by: str
    given_at: datetime


class ExceptionList(View):
    """The exceptions from an assignment's terms, the newest first."""

    items: list[ExceptionView]


class NewOverride(Sent):
    """Points in place of the computed ones. Null withdraws the override that holds."""

    student: Name
    points: Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False)] | None
    reason: Reason


class OverrideView(View):
    """An override of a student's points. `points` is null where it withdrew the one before."""

    id: str
    student: str
    full_name: str | None
    points: float | None
    reason: str
    given_by: str
    given_at: datetime
    holds: bool = Field(description="whether it is the one that counts now")


class OverrideList(View):
    """All overrides ever given in an assignment, the newest first."""

    items: list[OverrideView]


class AssignmentColumn(View):
    """An assignment of the gradebook."""

    slug: str
    title: str
    points_max: float
    is_bonus: bool
    is_held: bool = Field(description="whether students do not know their points yet")


class CellView(View):
    """A student's work in an assignment."""

    points: float | None = Field(description="what counts; null where nothing is graded or given")
    states: list[CellState]
    is_dropped: bool = Field(description="whether it is one of the lowest, which do not count")
    days_late: int
    submission: str | None = Field(description="the one that counts")


class StudentRow(View):
    """A student with a cell for each assignment."""

    student: str
    full_name: str | None
    section: str | None
    total: float
    total_max: float = Field(description="of what is graded or over, without what is dropped")
    cells: list[CellView]


class GradebookView(View):
    """A page of a course's gradebook."""

    course: str
    drop_lowest: int = Field(description="how many of each student's assignments do not count")
    sections: list[str]
    assignments: list[AssignmentColumn]
    items: list[StudentRow]
    total: int = Field(description="how many students fit the filter")


class WorkView(View):
    """One student's work in one assignment. Times and attempts are those that hold for this student."""

    student: str
    full_name: str | None
    section: str | None
    assignment: AssignmentView
    phase: Phase
    due_at: datetime | None
    closes_at: datetime | None
    attempts_max: int | None
    points: float | None = Field(description="what counts; null where nothing is graded or given")
    states: list[CellState]
    counted: str | None = Field(description="the submission that counts")
    code: float
    late_deduction: float = Field(description="what being late has taken off `code` already")
    questions: float
    override: OverrideView | None = Field(description="holds in place of code and questions")
    attempts: list[SubmissionItem] = Field(description="the newest first")
    exceptions: list[ExceptionView]
    overrides: list[OverrideView]


class Rules(Sent):
    """How a course's points are added up."""

    drop_lowest: Annotated[int, Field(ge=0, le=20)]


class Direction(StrEnum):
    """Which way the gradebook is sorted."""

    UP = "up"
    DOWN = "down"
