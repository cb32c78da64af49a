"""An assignment as instructors write it and as everybody reads it."""

from datetime import datetime
from itertools import pairwise
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.assignments.schedule import Phase, phase_at
from app.models import Assignment, Feedback
from app.values import Line, Moment, Slug

Points = Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False)]
Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=100_000)]


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Terms(Strict):
    """What an instructor decides. What is None is not limited; times carry their zone."""

    title: Line
    challenge: Slug
    points: Points = 100.0
    opens_at: Moment | None = None
    due_at: Moment | None = Field(default=None, description="later is late")
    closes_at: Moment | None = Field(default=None, description="from here on nothing is taken")
    late_percent_per_day: Percent = Field(default=0.0, description="taken off for each day after due_at that has begun")
    attempts_max: Count | None = None
    attempts_per_hour: Count | None = None
    is_superseding: bool = Field(default=True, description="a newer upload replaces one that still waits")
    feedback: Feedback = Field(default=Feedback.FULL, description="what students see until it closes")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        named = (("opens_at", self.opens_at), ("due_at", self.due_at), ("closes_at", self.closes_at))
        given = [(name, moment) for name, moment in named if moment is not None]
        for (earlier, first), (later, second) in pairwise(given):
            if first > second:
                raise ValueError(f"{later} must not be before {earlier}")
        return self


class NewAssignment(Terms):
    slug: Slug


class ChangedTerms(Strict):
    """What to change; what is not named stays. The whole is checked as `Terms`."""

    title: Line | None = None
    challenge: Slug | None = None
    points: Points | None = None
    opens_at: Moment | None = None
    due_at: Moment | None = None
    closes_at: Moment | None = None
    late_percent_per_day: Percent | None = None
    attempts_max: Count | None = None
    attempts_per_hour: Count | None = None
    is_superseding: bool | None = None
    feedback: Feedback | None = None


class AssignmentView(BaseModel):
    model_config = ConfigDict(frozen=True)

    course: str
    slug: str
    title: str
    challenge: str
    points: float
    phase: Phase
    opens_at: datetime | None
    due_at: datetime | None
    closes_at: datetime | None
    late_percent_per_day: float
    attempts_max: int | None
    attempts_per_hour: int | None
    is_superseding: bool
    feedback: Feedback


class AssignmentList(BaseModel):
    model_config = ConfigDict(frozen=True)

    items: list[AssignmentView]


def terms_of(assignment: Assignment) -> Terms:
    return Terms.model_validate({name: getattr(assignment, name) for name in Terms.model_fields})


def view_of(assignment: Assignment, moment: datetime) -> AssignmentView:
    """`assignment.course` must be loaded."""
    return AssignmentView(
        course=assignment.course.slug,
        slug=assignment.slug,
        phase=phase_at(assignment, moment),
        **dict(terms_of(assignment)),
    )
