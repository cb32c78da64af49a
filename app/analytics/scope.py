"""The scope of figures: the submissions of a course's students to one of its assignments."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session

from app.assignments.service import find
from app.challenges.service import Catalogue
from app.courses.access import is_student_of, staff_access
from app.models import Assignment, Course, Enrollment, PartKind, State, Submission, User
from app.problems import NotFound
from grader.manifest import STRUCTURE, plain_title


@dataclass(frozen=True)
class Scope:
    """An assignment, and its course, whose figures the caller may see."""

    course: Course
    assignment: Assignment

    @property
    def sent(self) -> ColumnElement[bool]:
        """A condition on submissions: the students' own; staff's trials do not count."""
        students = select(Enrollment.user_id).where(is_student_of(self.course))
        return and_(Submission.assignment_id == self.assignment.id, Submission.user_id.in_(students))

    @property
    def graded(self) -> ColumnElement[bool]:
        """A condition on submissions: the students' own that are graded."""
        return and_(self.sent, Submission.state == State.GRADED)


def scope_of(session: Session, user: User, course: str, assignment: str) -> Scope:
    """Returns the assignment to look into. Raises NotFound for strangers and unknown assignments, Forbidden for
    students.
    """
    access = staff_access(session, user, course)
    return Scope(access.course, find(session, access, assignment))


@dataclass(frozen=True)
class Titles:
    """The titles of a challenge's families and rules. Without the challenge, their names serve as titles."""

    families: dict[str, str]
    rules: dict[str, str]
    bonus: frozenset[str] = frozenset()  # families that nobody needs to pass

    def of(self, kind: PartKind, name: str) -> str:
        """Returns the title of a family or rule."""
        titles = self.families if kind is PartKind.FAMILY else self.rules
        return titles.get(name, plain_title(name))

    def bars(self, kind: PartKind, name: str) -> bool:
        """Whether failing it keeps a submission from passing. The family of all rules says nothing beside them."""
        return kind is PartKind.RULE or name not in self.bonus | {STRUCTURE}

    def sort_key(self, kind: PartKind, name: str) -> tuple[bool, int, str]:
        """Sorts families before rules, in the challenge's own order, then those that it no longer has."""
        order = list(self.families if kind is PartKind.FAMILY else self.rules)
        return kind is PartKind.RULE, order.index(name) if name in order else len(order), name


def titles_of(catalogue: Catalogue, challenge: str) -> Titles:
    """Returns the titles of the assignment's challenge, which may no longer be installed."""
    try:
        manifest = catalogue.get(challenge).challenge.manifest
    except NotFound:
        return Titles({}, {})
    return Titles(
        {name: family.title for name, family in manifest.families.items()},
        {name: rule.title for name, rule in manifest.rules.items()},
        frozenset(name for name, family in manifest.families.items() if not family.required),
    )
