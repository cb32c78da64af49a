"""What an assignment's times mean. Computed whenever it is asked for, so that an extension counts at once."""

import math
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from app.models import Assignment, Submission

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


def days_late(submission: Submission) -> int:
    """How many days after the due time have begun; 0 when it was in time. `submission.assignment` must be loaded."""
    due_at = submission.assignment.due_at if submission.assignment else None
    return 0 if due_at is None else max(0, math.ceil((submission.created_at - due_at) / DAY))


def points_of(submission: Submission) -> float | None:
    """What a graded submission earns in its assignment, less what being late costs. None where there is nothing yet."""
    assignment = submission.assignment
    if assignment is None or submission.score is None or not submission.max_score:
        return None
    kept = max(0.0, 1 - days_late(submission) * assignment.late_percent_per_day / 100)
    return round(assignment.points * submission.score / submission.max_score * kept, 4)


def in_words(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
