"""How a person stands in each challenge: the best score, the number of attempts, the last one."""

from dataclasses import dataclass

from sqlalchemy import case, func, or_, select

from app.assignments.schedule import HOLDING
from app.database import Database
from app.models import Assignment, Submission, SubmissionKind, User
from app.submissions.schemas import ITEM, SubmissionItem, item_of
from grader.report import Verdict


@dataclass(frozen=True)
class ChallengeHistory:
    """A person's attempts at a challenge. `best` is None until one was graded and told."""

    attempts: int
    best: float | None
    last: SubmissionItem


def histories(database: Database, user: User) -> dict[str, ChallengeHistory]:
    """Returns a person's history in each challenge that they have submitted to."""
    is_told = or_(Assignment.id.is_(None), ~HOLDING, Submission.verdict == Verdict.REJECTED)
    summary = (
        select(func.count(), func.max(case((is_told, Submission.score))), func.max(Submission.id))
        .outerjoin(Assignment, Assignment.id == Submission.assignment_id)
        .where(Submission.user_id == user.id, Submission.kind == SubmissionKind.BUILD)
        .group_by(Submission.challenge)
    )
    with database.read() as session:
        rows = session.execute(summary).all()
        last_ones = select(Submission).options(*ITEM).where(Submission.id.in_([row[2] for row in rows]))
        by_id = {row.id: item_of(row, as_staff=False) for row in session.scalars(last_ones)}
    return {by_id[last].challenge: ChallengeHistory(attempts, best, by_id[last]) for attempts, best, last in rows}
