"""Whether a graded fix has solved its hunt. The recorder's part: it knows nothing of requests."""

from datetime import datetime

from app.models import Submission
from grader.report import Verdict


def note_solved(fix: Submission, moment: datetime) -> None:
    """A fix was graded: with it the hunt may be solved, and then the cause is told."""
    if fix.fix is None or fix.verdict is not Verdict.PASSED:
        return
    hunt, lines = fix.fix.hunt, fix.fix.lines
    if hunt.solved_at is None and lines is not None and lines <= hunt.lines_max:
        hunt.solved_at = moment
