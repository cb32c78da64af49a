"""How a person is told that they stand."""

from datetime import datetime

from pydantic import Field

from app.assignments.schedule import Phase
from app.assignments.schemas import AssignmentScore, ExceptionSeen
from app.models import Role
from app.request_values import View
from app.submissions.schemas import SubmissionItem


class AssignmentStanding(View):
    """An assignment that has opened, and this person's standing in it."""

    course: str
    course_title: str
    time_zone: str = Field(description="the course's, in which its pages show the times")
    slug: str
    title: str
    challenge: str
    points: float
    phase: Phase
    due_at: datetime | None
    closes_at: datetime | None
    attempts_max: int | None
    attempts_used: int
    attempts_left: int | None = Field(description="null where there is no limit")
    grace_minutes: int = Field(description="after due_at, and not late yet")
    is_bonus: bool = Field(description="counts on top of the course's points")
    has_leaderboard: bool = Field(description="students who passed may show how fast their code is")
    exceptions: list[ExceptionSeen] = Field(description="more time or attempts; counted in the fields above already")
    next_attempt_at: datetime | None = Field(description="when the limit per hour lets the next one in")
    score: AssignmentScore
    last: SubmissionItem | None = Field(description="what was sent last, whatever came of it")


class CourseTotal(View):
    """Points in a course: of what is graded or was due, without the lowest that are dropped; a bonus comes on top."""

    points: float
    points_max: float
    dropped: list[str] = Field(description="the slugs of the assignments that do not count")
    drop_lowest: int = Field(description="how many of the lowest are dropped")


class CourseStanding(View):
    """One person's standing in a course."""

    slug: str
    title: str
    time_zone: str
    role: Role
    is_archived: bool = Field(description="it is over: students can still read their work, but not submit anything")
    assignments: list[AssignmentStanding] = Field(description="those that have opened, the next due first")
    total: CourseTotal
    next_opens_at: datetime | None = Field(description="when there is something new; what it is, is told then")
