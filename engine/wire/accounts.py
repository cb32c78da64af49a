"""Who one is, and how one stands, as the server says it."""

from datetime import datetime

from engine.wire.base import Wire
from engine.wire.submissions import Score


class Exemption(Wire):
    """More time or more attempts, counted in the standing already."""

    extra_attempts: int = 0
    due_at: datetime | None = None
    closes_at: datetime | None = None
    reason: str


class Standing(Wire):
    """An open assignment, and this student's standing in it."""

    course: str
    slug: str
    title: str
    challenge: str
    time_zone: str | None = None
    due_at: datetime | None = None
    closes_at: datetime | None = None
    attempts_max: int | None = None
    attempts_left: int | None = None
    has_leaderboard: bool = False
    exceptions: tuple[Exemption, ...] = ()
    score: Score

    @property
    def address(self) -> str:
        """The assignment as commands name it: COURSE/ASSIGNMENT."""
        return f"{self.course}/{self.slug}"


class Membership(Wire):
    """A course, and one's role in it."""

    title: str
    role: str
    is_archived: bool = False

    @property
    def is_studied(self) -> bool:
        """Whether one learns there."""
        return self.role == "student"


class Me(Wire):
    """Whose token was sent. `assignments` are those that are open, the next due first."""

    name: str
    role: str
    courses: tuple[Membership, ...] = ()
    assignments: tuple[Standing, ...] = ()
