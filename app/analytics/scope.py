"""What the figures are about: what the students of a course sent to one of its assignments."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session

from app.assignments.service import find
from app.challenges.service import Catalogue
from app.courses.access import is_student_of, staffed_place
from app.models import Assignment, Course, Enrollment, PartKind, State, Submission, User
from app.problems import NotFound


@dataclass(frozen=True)
class Scope:
    """An assignment that somebody may look into."""

    course: Course
    assignment: Assignment

    @property
    def sent(self) -> ColumnElement[bool]:
        """A condition on submissions: the students' own; staff's trials do not count."""
        students = select(Enrollment.user_id).where(is_student_of(self.course))
        return and_(Submission.assignment_id == self.assignment.id, Submission.user_id.in_(students))

    @property
    def graded(self) -> ColumnElement[bool]:
        return and_(self.sent, Submission.state == State.GRADED)


def scope_of(session: Session, user: User, course: str, assignment: str) -> Scope:
    """Raises NotFound for strangers and where there is no such assignment, Forbidden for students."""
    place = staffed_place(session, user, course)
    return Scope(place.course, find(session, place, assignment))


@dataclass(frozen=True)
class Titles:
    """What people call the families and rules of a challenge. Without the challenge, the names must do."""

    families: dict[str, str]
    rules: dict[str, str]

    def of(self, kind: PartKind, name: str) -> str:
        titles = self.families if kind is PartKind.FAMILY else self.rules
        return titles.get(name, name.capitalize())

    def place(self, kind: PartKind, name: str) -> tuple[bool, int, str]:
        """Families before rules, in the challenge's own order, then what it no longer has."""
        order = list(self.families if kind is PartKind.FAMILY else self.rules)
        return kind is PartKind.RULE, order.index(name) if name in order else len(order), name


def titles_of(catalogue: Catalogue, challenge: str) -> Titles:
    """An assignment outlives its challenge."""
    try:
        manifest = catalogue.get(challenge).challenge.manifest
    except NotFound:
        return Titles({}, {})
    return Titles(
        {name: family.title for name, family in manifest.families.items()},
        {name: rule.title for name, rule in manifest.rules.items()},
    )
