"""How a person stands in each challenge: the best score, the number of attempts, the last one."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import joinedload

from app.database import Database
from app.models import Submission, SubmissionKind, User


@dataclass(frozen=True)
class Standing:
    """One challenge. `best` is None until something was graded."""

    attempts: int
    best: float | None
    last: Submission


def standings(database: Database, user: User) -> dict[str, Standing]:
    """By challenge; those without a submission are left out."""
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
    return {by_id[last].challenge: Standing(attempts, best, by_id[last]) for attempts, best, last in rows}
