"""An assignment's phases. Computed whenever it is asked for, so that an extension counts at once."""

from datetime import datetime
from enum import StrEnum

from app.models import Assignment, Solutions


class Phase(StrEnum):
    """Whether an assignment is planned, open or closed."""

    PLANNED = "planned"
    OPEN = "open"
    CLOSED = "closed"


def phase_at(assignment: Assignment, moment: datetime) -> Phase:
    """Returns the assignment's phase at that moment."""
    if assignment.opens_at is not None and moment < assignment.opens_at:
        return Phase.PLANNED
    if assignment.closes_at is not None and moment >= assignment.closes_at:
        return Phase.CLOSED
    return Phase.OPEN


def is_over(assignment: Assignment, moment: datetime) -> bool:
    """Whether solutions may be told: the assignment is closed or, where it never closes, due."""
    end = assignment.closes_at or assignment.due_at
    return end is not None and moment >= end


def shows_solutions(assignment: Assignment, moment: datetime) -> bool:
    """Whether everybody may read the right answers, or could once: an extension does not hide answers already shown."""
    is_shown = assignment.solutions is not Solutions.NEVER and is_over(assignment, moment)
    return assignment.solutions_were_shown or is_shown


def in_words(moment: datetime) -> str:
    """Formats a moment for a message, in UTC."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"
