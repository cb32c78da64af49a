"""A course as its staff see it."""

from datetime import date, datetime
from typing import Any, Self

from pydantic import Field, field_validator

from app.invitations.schemas import Access
from app.models import ActorKind, Role, State
from app.request_values import FreeSlug, Line, Sent, View
from app.time_zones import ZoneName
from grader.report import Verdict


class CourseView(View):
    """A course. Its times are entered and shown in its zone; over REST every time carries its own."""

    slug: str
    title: str
    time_zone: str
    archived_at: datetime | None = Field(description="since when its students can only read; null: it goes on")


class CourseList(View):
    """The courses that somebody may see."""

    items: list[CourseView]


class NewCourse(Sent):
    """A course to create."""

    slug: FreeSlug
    title: Line
    time_zone: ZoneName = Field(default="UTC", description="an IANA name; the service's unless told")

    def in_zone_unless_told(self, zone: str) -> Self:
        """Returns the same in this time zone, unless it names one itself."""
        return self if "time_zone" in self.model_fields_set else self.model_copy(update={"time_zone": zone})


class CourseCopy(NewCourse):
    """A copy to make of a course."""

    starts_on: date = Field(description="the first week is the week of this day; every date moves by whole weeks")

    @field_validator("starts_on")
    @classmethod
    def _is_in_our_time(cls, value: date) -> date:
        if not 2000 <= value.year < 2900:
            raise ValueError("must be in the years 2000 to 2899")
        return value


class ChangedCourse(Sent):
    """What to change of a course; what is not named stays."""

    title: Line | None = None
    time_zone: ZoneName | None = None


class Person(View):
    """`full_name` and `email` are what the course's own rosters say, not what the account has."""

    id: str
    name: str
    full_name: str | None
    email: str | None
    section: str | None
    role: Role
    submissions: int
    passed: list[str]
    access: Access


class Roster(View):
    """A page of a course's people."""

    course: str
    items: list[Person]
    total: int = Field(description="how many fit the search")
    next_cursor: str | None


class MisconceptionCount(View):
    """A misconception, and how many different students have shown it."""

    id: str
    title: str
    students: int
    submissions: int


class ChallengeAnalytics(View):
    """The figures of a challenge in a course."""

    challenge: str
    submissions: int
    students: int
    students_passed: int
    states: dict[State, int]
    verdicts: dict[Verdict, int]
    misconceptions: list[MisconceptionCount]


class AssignmentFigures(View):
    """The figures of an assignment in a list."""

    assignment: str
    submissions: int
    students: int
    students_passed: int


class Analytics(View):
    """The figures of a course. `assignments` leaves out those that nobody has submitted to."""

    course: str
    challenges: list[ChallengeAnalytics]
    assignments: list[AssignmentFigures]


class AddedPerson(View):
    """A person to be added. `name` is as in the file: an address, where it has nothing else."""

    line: int
    name: str
    role: Role
    full_name: str | None
    email: str | None
    section: str | None
    is_new_account: bool | None = Field(description="null: not told, where the line has only an address")


class ChangedPerson(View):
    """A person to be changed. `changes` has old and new value by `role`, `full_name`, `email`, `section`."""

    line: int
    name: str
    changes: dict[str, tuple[str | None, str | None]]


class KeptDetails(View):
    """Details that a line would change but that the course may not, and the reason."""

    line: int
    name: str
    reason: str


class RefusedLine(View):
    """A line that is refused, and the reason."""

    line: int
    reason: str


class RosterPlan(View):
    """What a roster file changes."""

    course: str
    digest: str = Field(description="send it along to apply exactly this")
    added: list[AddedPerson]
    changed: list[ChangedPerson]
    removed: list[str] = Field(description="students whom the file does not name; their submissions stay")
    kept: list[KeptDetails] = Field(description="differences that the file has no say in")
    refused: list[RefusedLine]
    unchanged: int


class NewPerson(Sent):
    """A person to add, named by an account's name, an e-mail address, or both."""

    name: str = Field(default="", max_length=200, description="what they sign in as; their address unless told")
    full_name: str = Field(default="", max_length=400)
    email: str = Field(default="", max_length=400)
    role: str = Field(
        default="",
        max_length=100,
        description="student, assistant or instructor; a new person is a student unless told",
    )
    section: str = Field(default="", max_length=200)


class AuditItem(View):
    """An entry of a course's audit log."""

    id: str
    at: datetime
    actor: str
    actor_kind: ActorKind
    action: str
    subject: str
    detail: dict[str, Any]


class AuditPage(View):
    """A page of a course's audit log."""

    items: list[AuditItem]
    next_cursor: str | None
