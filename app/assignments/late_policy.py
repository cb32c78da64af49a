"""What being late costs. Computed whenever it is asked for, so that an extension counts at once."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.assignments.terms import PersonalTerms, terms_for
from app.models import Submission

DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Late:
    """What being late costs at one moment: days that have begun, and the percentage of the points that they take."""

    days: int
    percent: float


def late_at(terms: PersonalTerms, moment: datetime) -> Late:
    """Returns what a submission at this moment loses."""
    return Late(days_late(terms, moment), round(100 * (1 - kept_share(terms, moment)), 2))


def days_late(terms: PersonalTerms | None, moment: datetime) -> int:
    """Returns how many days after the due time have begun; 0 for what came in time, or within the minutes of grace."""
    if terms is None or terms.due_at is None or terms.late_from is None or moment <= terms.late_from:
        return 0
    return math.ceil((moment - terms.due_at) / DAY)


def kept_share(terms: PersonalTerms, moment: datetime) -> float:
    """Returns the share of the points, from 0 to 1, that is left for a submission at this moment."""
    days = days_late(terms, moment)
    return max(0.0, 1 - days * terms.assignment.late_percent_per_day / 100) if days else 1.0


def points_of(submission: Submission) -> float | None:
    """Returns the points of a graded submission in its assignment, less the late penalty; None while it is not graded.

    `submission.assignment` and `exceptions` must be loaded.
    """
    terms = terms_for(submission)
    if terms is None or submission.score is None or not submission.max_score:
        return None
    return code_points(terms, submission.score / submission.max_score, submission.created_at)


def code_points(terms: PersonalTerms, share: float, moment: datetime) -> float:
    """Returns the points for code that earned this share, sent at that moment. Points are rounded here and nowhere
    before, so that all that shows them shows the same.
    """
    return round(terms.assignment.points * share * kept_share(terms, moment), 2)
