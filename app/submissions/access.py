"""Who may see whose submissions: one's own; as staff of a course, those that belong to it; all for operators."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, or_, select, true
from sqlalchemy.orm import Session, joinedload

from app.courses.access import sent_in, staffed_by
from app.database import Database
from app.identifiers import is_id
from app.models import Role, Submission, User
from app.problems import Forbidden, NotFound
from app.submissions.schemas import ITEM

EARLIER_MAX: Final = 200


@dataclass(frozen=True)
class Access:
    """A submission that somebody may see, and in which role."""

    submission: Submission
    is_owner: bool

    @property
    def as_staff(self) -> bool:
        """Whether it is seen by staff."""
        return not self.is_owner


def visible_to(user: User) -> ColumnElement[bool]:
    """A condition on submissions: the person may see them."""
    if user.role is Role.OPERATOR:
        return true()
    return or_(Submission.user_id == user.id, sent_in(staffed_by(user)))


def find(session: Session, user: User, submission_id: str) -> Access:
    """Returns the submission with all that its view shows. Raises NotFound, also when this person may not see it."""
    query = (
        select(Submission)
        .options(*ITEM, joinedload(Submission.report), joinedload(Submission.course))
        .where(Submission.id == submission_id, visible_to(user))
    )
    found = session.scalar(query) if is_id(submission_id) else None
    if found is None:
        raise NotFound(
            "There is no such submission, or it is not yours. Your own are listed on each challenge's page, and by "
            "`engine history`."
        )
    return Access(found, is_owner=found.user_id == user.id)


def find_own(session: Session, user: User, submission_id: str) -> Submission:
    """Returns the person's own submission. Raises NotFound, and Forbidden when it is somebody else's."""
    access = find(session, user, submission_id)
    if not access.is_owner:
        raise Forbidden("Only the student who submitted this can answer its questions.")
    return access.submission


def attempts_before(database: Database, user: User, submission: Submission) -> list[Submission]:
    """Returns the same student's attempts at the same thing that came before, the newest first, at most EARLIER_MAX, of
    those that `user` may see.
    """
    query = (
        select(Submission)
        .options(*ITEM)
        .where(
            Submission.user_id == submission.user_id,
            Submission.challenge == submission.challenge,
            Submission.kind == submission.kind,
            Submission.attempt < submission.attempt,
            visible_to(user),
        )
        .order_by(Submission.attempt.desc())
        .limit(EARLIER_MAX)
    )
    with database.read() as session:
        return list(session.scalars(query))
