"""What a graded submission means for its sender's hunts. The recorder's part: it knows nothing of requests."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Hunt, Submission
from grader.report import Report, Verdict


def note_solved(fix: Submission, moment: datetime) -> None:
    """Marks the hunt as solved if the fix that was graded solves it; then its cause is told."""
    if fix.fix is None or fix.verdict is not Verdict.PASSED:
        return
    hunt, lines = fix.fix.hunt, fix.fix.lines
    if hunt.solved_at is None and lines is not None and lines <= hunt.lines_max:
        hunt.solved_at = moment


def note_same_mistake(session: Session, build: Submission, report: Report) -> None:
    """Marks a graded build as near to an open hunt if it is diagnosed with that hunt's bug, so that nobody learns the
    cause by putting part of the file into a program of their own.
    """
    if build.near_hunt_id is not None or not report.diagnoses:
        return
    named = {diagnosis.id for diagnosis in report.diagnoses}
    hunts = session.scalars(select(Hunt).where(Hunt.user_id == build.user_id, Hunt.solved_at.is_(None)))
    build.near_hunt_id = next((hunt.id for hunt in hunts if hunt.misconception in named), None)
