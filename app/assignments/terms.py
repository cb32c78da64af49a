"""The terms that hold for one person in an assignment: the assignment's own and the exceptions that were given.

Whatever asks when something is due, when it closes or how many attempts there are, asks here. Of several exceptions (a
student's and their section's) the most generous counts. Computed whenever it is asked for, so that one counts at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from sqlalchemy import Select, and_, or_, select
from sqlalchemy.orm import Session

from app.models import Assignment, Enrollment, Submission, TermsException
from grader.grouping import grouped


@dataclass(frozen=True)
class PersonalTerms:
    """An assignment with the exceptions that one person has from its terms."""

    assignment: Assignment
    exceptions: Sequence[TermsException] = ()

    @property
    def opens_at(self) -> datetime | None:
        """When it opens: the same for everybody."""
        return self.assignment.opens_at

    @property
    def is_archived(self) -> bool:
        """Whether the course is over: for everybody."""
        return self.assignment.is_archived

    @cached_property
    def due_at(self) -> datetime | None:
        """When it is due for this person."""
        return _latest(self.assignment.due_at, (each.due_at for each in self.exceptions))

    @cached_property
    def closes_at(self) -> datetime | None:
        """From when on nothing is taken from this person: never before it is due for them."""
        later = [moment for each in self.exceptions for moment in (each.due_at, each.closes_at)]
        return _latest(self.assignment.closes_at, later)

    @cached_property
    def late_from(self) -> datetime | None:
        """From when on something is late: the due time and the minutes of grace."""
        return None if self.due_at is None else self.due_at + timedelta(minutes=self.assignment.grace_minutes)

    @property
    def attempts_max(self) -> int | None:
        """How many attempts this person has in all."""
        most = self.assignment.attempts_max
        return None if most is None else most + max((each.extra_attempts for each in self.exceptions), default=0)


def terms_in(session: Session, user_id: str, assignments: Sequence[Assignment]) -> dict[str, PersonalTerms]:
    """Returns the terms that hold for a person in each of these assignments, by the assignment's id."""
    found = grouped((row.assignment_id, row) for row in session.scalars(_given_to(user_id, assignments)))
    return {each.id: PersonalTerms(each, tuple(found.get(each.id, ()))) for each in assignments}


def terms_for(submission: Submission) -> PersonalTerms | None:
    """Returns the terms that hold for a submission's student; None for practice. `assignment` and `exceptions` must be
    loaded.
    """
    return PersonalTerms(submission.assignment, submission.exceptions) if submission.assignment else None


@dataclass(frozen=True)
class ClassTerms:
    """The terms of many students in one assignment."""

    assignment: Assignment
    by_student: Mapping[str, Sequence[TermsException]]
    by_section: Mapping[str, TermsException]

    @cached_property
    def general(self) -> PersonalTerms:
        """The terms of those who have no exception."""
        return PersonalTerms(self.assignment)

    def of(self, user_id: str, section: str | None) -> PersonalTerms:
        """Returns the terms that hold for a student of this section."""
        own = self.by_student.get(user_id, ())
        of_all = self.by_section.get(section) if section else None
        if not own and of_all is None:
            return self.general
        return PersonalTerms(self.assignment, own if of_all is None else (*own, of_all))


def class_terms(session: Session, assignments: Sequence[Assignment]) -> dict[str, ClassTerms]:
    """Returns the terms of everybody in each of these assignments, by the assignment's id."""
    ids = [each.id for each in assignments]
    students: dict[str, dict[str, list[TermsException]]] = {each: {} for each in ids}
    sections: dict[str, dict[str, TermsException]] = {each: {} for each in ids}
    for row in session.scalars(select(TermsException).where(TermsException.assignment_id.in_(ids))):
        if row.user_id is not None:
            students[row.assignment_id].setdefault(row.user_id, []).append(row)
        if row.section is not None:
            sections[row.assignment_id][row.section] = row
    return {each.id: ClassTerms(each, students[each.id], sections[each.id]) for each in assignments}


def _given_to(user_id: str, assignments: Sequence[Assignment]) -> Select[TermsException]:
    """Own exceptions, and those of the sections that the person is in now."""
    section = and_(
        Enrollment.course_id == Assignment.course_id,
        Enrollment.user_id == user_id,
        Enrollment.section == TermsException.section,
    )
    return (
        select(TermsException)
        .join(Assignment, Assignment.id == TermsException.assignment_id)
        .outerjoin(Enrollment, section)
        .where(TermsException.assignment_id.in_([each.id for each in assignments]))
        .where(or_(TermsException.user_id == user_id, Enrollment.user_id.is_not(None)))
        .order_by(TermsException.id)
    )


def _latest(own: datetime | None, others: Iterable[datetime | None]) -> datetime | None:
    """None (no limit) stays: an exception never takes time away."""
    return own if own is None else max([own, *(each for each in others if each is not None)])
