"""What a graded submission means for its sender's hunts. The recorder's part: it knows nothing of requests."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Hunt, Submission
from grader.report import Report, Verdict


def note_solved(fix: Submission, moment: datetime) -> None:
    """A fix was graded: with it the hunt may be solved, and then the cause is told."""
    if fix.fix is None or fix.verdict is not Verdict.PASSED:
        return
    hunt, lines = fix.fix.hunt, fix.fix.lines
    if hunt.solved_at is None and lines is not None and lines <= hunt.lines_max:
        hunt.solved_at = moment


def note_same_mistake(session: Session, build: Submission, report: Report) -> None:
    """A build was graded: where its diagnosis is what an open hunt asks for, it counts as near to that hunt's file. So
    nobody learns the cause from a part of the file in a program of their own, however it got there.
    """
    if build.near_hunt_id is not None or not report.diagnoses:
        return
    named = {_misconception(diagnosis.id) for diagnosis in report.diagnoses}
    hunts = session.scalars(select(Hunt).where(Hunt.user_id == build.user_id, Hunt.solved_at.is_(None)))
    build.near_hunt_id = next((hunt.id for hunt in hunts if _misconception(hunt.bug) in named), None)


def _misconception(name: str) -> str:
    """Without its variant."""
    return name.partition(".")[0]
