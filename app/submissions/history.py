"""How a person stands in each challenge: the best score, the number of attempts, the last one."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import joinedload

from app.database import Database
from app.models import Submission, SubmissionKind, User


@dataclass(frozen=True)
class ChallengeHistory:
    """A person's attempts at a challenge. `best` is None until one was graded."""

    attempts: int
    best: float | None
    last: Submission


def histories(database: Database, user: User) -> dict[str, ChallengeHistory]:
    """Returns a person's history in each challenge that they have submitted to."""
    summary = (
        select(func.count(), func.max(Submission.score), func.max(Submission.id))
        .where(Submission.user_id == user.id, Submission.kind == SubmissionKind.BUILD)
        .group_by(Submission.challenge)
    )
    with database.read() as session:
        rows = session.execute(summary).all()
        last_ones = (
            select(Submission).options(joinedload(Submission.user)).where(Submission.id.in_([row[2] for row in rows]))
        )
        by_id = {submission.id: submission for submission in session.scalars(last_ones)}
    return {by_id[last].challenge: ChallengeHistory(attempts, best, by_id[last]) for attempts, best, last in rows}
