"""What needs somebody in a course this week. Names come from the course's own roster."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from app.analytics.schemas import ServiceHealth, StuckOn
from app.assignments.schemas import AssignmentView
from app.request_values import View


class Moment(StrEnum):
    """What happens to an assignment at a moment."""

    OPENS = "opens"
    DUE = "due"
    CLOSES = "closes"


class Deadline(View):
    """A moment of an assignment within the next seven days."""

    at: datetime
    what: Moment
    assignment: str
    title: str


class Named(View):
    """A student."""

    student: str
    full_name: str | None


class StuckNow(Named):
    """A student who is stuck, with their last submission."""

    attempts: int
    attempts_since_best: int
    last: str


class HeldIdea(View):
    """A misconception that students' last submissions show."""

    id: str
    title: str
    students: int


class AssignmentWeek(View):
    """An open assignment: who has not begun, who is stuck, which ideas are still wrong. Counts are of the whole class;
    lists of people hold the first few of those who are searched for.
    """

    assignment: AssignmentView
    not_started: int
    not_started_students: list[Named] = Field(description="by name")
    stuck: int
    stuck_students: list[StuckNow] = Field(description="the longest stuck first")
    stuck_on: list[StuckOn] = Field(description="what the stuck students' last submissions show or fail, by title")
    ideas: list[HeldIdea] = Field(description="still held, the most common first")


class AnswersToReview(View):
    """Answers that wait for somebody to mark them; without an assignment, those of practice."""

    assignment: str | None
    title: str | None
    answers: int


class HeldGrades(View):
    """Grades that can be released: nobody can earn more, but for those who were given more time."""

    assignment: str
    title: str
    students: int = Field(description="who have a result")
    open_until: datetime | None = Field(description="when the last extension ends; null where none is left")


class Week(View):
    """What needs somebody in a course this week."""

    course: str
    time_zone: str
    deadlines: list[Deadline] = Field(description="the next first")
    assignments: list[AssignmentWeek] = Field(description="open: the six due next, then those that are late")
    reviews: list[AnswersToReview]
    regrade_requests: int = Field(description="open, and not answered yet")
    held: list[HeldGrades]
    service: ServiceHealth
