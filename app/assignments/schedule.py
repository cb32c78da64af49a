"""What an assignment's times mean. Computed whenever it is asked for, so that an extension counts at once."""

import math
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from app.models import Assignment, Solutions, Submission

DAY: Final = timedelta(days=1)


class Phase(StrEnum):
    """Where an assignment stands at some moment."""

    PLANNED = "planned"
    OPEN = "open"
    CLOSED = "closed"


def phase_at(assignment: Assignment, moment: datetime) -> Phase:
    if assignment.opens_at is not None and moment < assignment.opens_at:
        return Phase.PLANNED
    if assignment.closes_at is not None and moment >= assignment.closes_at:
        return Phase.CLOSED
    return Phase.OPEN


def is_over(assignment: Assignment, moment: datetime) -> bool:
    """Whether everything may be told now: it is closed, or, where it never closes, due."""
    end = assignment.closes_at or assignment.due_at
    return end is not None and moment >= end


def shows_solutions(assignment: Assignment, moment: datetime) -> bool:
    """Whether everybody may read the right answers, or could once: an extension takes no answers from who read them."""
    is_shown = assignment.solutions is not Solutions.NEVER and is_over(assignment, moment)
    return assignment.solutions_were_shown or is_shown


def days_late(assignment: Assignment | None, moment: datetime) -> int:
    """How many days after the due time have begun; 0 for what came in time."""
    due_at = assignment.due_at if assignment else None
    return 0 if due_at is None else max(0, math.ceil((moment - due_at) / DAY))


def kept_share(assignment: Assignment, moment: datetime) -> float:
    """What being late leaves of the points for something that came at this moment: 1 is all."""
    return max(0.0, 1 - days_late(assignment, moment) * assignment.late_percent_per_day / 100)


def points_of(submission: Submission) -> float | None:
    """What a graded submission earns in its assignment, less what being late costs. None where there is nothing yet.

    `submission.assignment` must be loaded.
    """
    assignment = submission.assignment
    if assignment is None or submission.score is None or not submission.max_score:
        return None
    share = submission.score / submission.max_score * kept_share(assignment, submission.created_at)
    return round(assignment.points * share, 4)


def in_words(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
