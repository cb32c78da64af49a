"""Which assignments are current, and what happens to them within seven days. Knows no database."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from app.assignments.schedule import Phase, phase_at
from app.models import Assignment
from app.time_zones import WEEK
from app.week.schemas import Deadline, Moment

CURRENT_MAX: Final = 6  # a course may have all its assignments open; a week has room for a few
MOMENTS: Final = {Moment.OPENS: "opens_at", Moment.DUE: "due_at", Moment.CLOSES: "closes_at"}


def current_of(assignments: Iterable[Assignment], moment: datetime) -> list[Assignment]:
    """Returns the CURRENT_MAX open assignments that are due next, then those that are late."""
    current = [each for each in assignments if _is_current(each, moment)]
    return sorted(current, key=lambda each: _urgency(each, moment))[:CURRENT_MAX]


def _urgency(assignment: Assignment, moment: datetime) -> tuple[bool, bool, datetime]:
    due_at = assignment.due_at or moment
    return assignment.due_at is None, due_at < moment, due_at


def _is_current(assignment: Assignment, moment: datetime) -> bool:
    """Whether work comes in now. What never closes is current until a week after it was due."""
    if phase_at(assignment, moment) is not Phase.OPEN:
        return False
    return assignment.closes_at is not None or assignment.due_at is None or assignment.due_at > moment - WEEK


def deadlines_in(assignments: Iterable[Assignment], moment: datetime) -> Sequence[Deadline]:
    """Returns what happens within seven days, the next first."""
    found = [
        Deadline(at=at, what=what, assignment=each.slug, title=each.title)
        for each in assignments
        for what, name in MOMENTS.items()
        if (at := getattr(each, name)) is not None and moment <= at < moment + WEEK
    ]
    return sorted(found, key=lambda each: (each.at, each.title))
