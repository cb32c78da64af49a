"""What being late costs. Computed whenever it is asked for, so that an extension counts at once."""

import math
from datetime import datetime, timedelta
from typing import Final

from app.models import Assignment, Submission

DAY: Final = timedelta(days=1)


def days_late(assignment: Assignment | None, moment: datetime) -> int:
    """Returns how many days after the due time have begun; 0 for a submission that came in time."""
    due_at = assignment.due_at if assignment else None
    return 0 if due_at is None else max(0, math.ceil((moment - due_at) / DAY))


def kept_share(assignment: Assignment, moment: datetime) -> float:
    """Returns the share of the points, from 0 to 1, that is left for a submission at this moment."""
    return max(0.0, 1 - days_late(assignment, moment) * assignment.late_percent_per_day / 100)


def points_of(submission: Submission) -> float | None:
    """Returns the points of a graded submission in its assignment, less the late penalty; None while it is not graded.

    `submission.assignment` must be loaded.
    """
    assignment = submission.assignment
    if assignment is None or submission.score is None or not submission.max_score:
        return None
    share = submission.score / submission.max_score * kept_share(assignment, submission.created_at)
    return round(assignment.points * share, 4)
