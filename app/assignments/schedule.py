"""An assignment's phases. Computed whenever it is asked for, so that an extension counts at once."""

from datetime import datetime
from enum import StrEnum
from typing import Final

from sqlalchemy import and_

from app.assignments.terms import PersonalTerms
from app.models import Assignment, GradesRelease, Solutions


class Phase(StrEnum):
    """Whether an assignment is planned, open or closed."""

    PLANNED = "planned"
    OPEN = "open"
    CLOSED = "closed"


def phase_at(terms: Assignment | PersonalTerms, moment: datetime) -> Phase:
    """Returns the assignment's phase at that moment, for everybody or for one person. With its course archived, what
    was open is closed.
    """
    if terms.opens_at is not None and moment < terms.opens_at:
        return Phase.PLANNED
    if terms.is_archived or (terms.closes_at is not None and moment >= terms.closes_at):
        return Phase.CLOSED
    return Phase.OPEN


def is_over(terms: Assignment | PersonalTerms, moment: datetime) -> bool:
    """Whether solutions may be told: the assignment is closed or, where it never closes, due."""
    end = terms.closes_at or terms.due_at
    return end is not None and moment >= end


def holds_grades(assignment: Assignment | None) -> bool:
    """Whether students are told nothing yet of what they have earned: neither points nor verdict, nor why."""
    return assignment is not None and assignment.grades_release is GradesRelease.HELD and assignment.released_at is None


HOLDING: Final = and_(Assignment.grades_release == GradesRelease.HELD, Assignment.released_at.is_(None))


def shows_solutions(assignment: Assignment, moment: datetime) -> bool:
    """Whether everybody may read the right answers, or could once: an extension does not hide answers already shown."""
    is_shown = assignment.solutions is not Solutions.NEVER and is_over(assignment, moment)
    if holds_grades(assignment):
        return False
    return assignment.solutions_were_shown or is_shown
