"""The same upload again, by its Idempotency-Key: a network may lose an answer, and nobody is charged twice for that."""

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from app.challenges.service import Entry
from app.models import Submission, SubmissionKind, User
from app.problems import Conflict
from app.submissions.schemas import ITEM
from app.submissions.uploads import Upload


def sent_before(
    session: Session, user: User, entry: Entry, upload: Upload, kind: SubmissionKind, assignment: str | None
) -> Submission | None:
    """Returns the submission that came with this idempotency key. Without an assignment, the one that it was taken for
    is meant.

    Raises Conflict when that upload was another one, or for something else.
    """
    if upload.idempotency_key is None:
        return None
    query = select(Submission).options(*ITEM, joinedload(Submission.report))
    before = session.scalar(
        query.where(Submission.user_id == user.id, Submission.idempotency_key == upload.idempotency_key)
    )
    if before is None:
        return None
    taken_for = f"{before.assignment.course.slug}/{before.assignment.slug}" if before.assignment else None
    sent = (entry.slug, kind, upload.submission.sha256, assignment or taken_for)
    if sent != (before.challenge, before.kind, before.sha256, taken_for):
        raise Conflict(
            "This Idempotency-Key was used for another upload or another assignment. Use a new key for new content."
        )
    return before
