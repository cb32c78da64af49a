"""A student cancels a submission that waits, or supersedes it by a newer one."""

from datetime import datetime

import structlog
from sqlalchemy.orm import Session

from app.broker import Broker, BrokerDown
from app.database import Database
from app.models import Assignment, State, User
from app.problems import Conflict, Forbidden, Unavailable
from app.queue import withdrawal
from app.submissions.access import Access, find

logger = structlog.get_logger(part="submissions")


def cancel(database: Database, broker: Broker, user: User, submission_id: str) -> Access:
    """Cancels a waiting submission for its student. Raises NotFound, Forbidden, Conflict when it is too late, and
    Unavailable when nobody can say whether it is.
    """
    with database.write() as session:
        access = find(session, user, submission_id)
        if not access.is_owner:
            raise Forbidden("Only the student who submitted this can cancel it.")
        if access.submission.state is not State.CANCELLED:
            if not _cancel(session, broker, submission_id):
                raise Conflict("Grading has already started, so this submission can't be cancelled.")
            session.refresh(access.submission)
    try:
        broker.end(submission_id, State.CANCELLED)
    except BrokerDown as error:  # those who watch find it in the row
        logger.warning("state_not_told", submission_id=submission_id, reason=str(error))
    return access


def make_room(session: Session, broker: Broker, user: User, assignment: Assignment | None) -> dict[str, datetime]:
    """Withdraws the student's submissions to the assignment that no judge has begun, as a new upload supersedes them.
    Returns since when each of them waited, by id. Raises Unavailable.
    """
    if assignment is None or not assignment.is_superseding:
        return {}
    try:
        return withdrawal.supersede(session, broker, user, assignment)
    except BrokerDown as error:
        if assignment.attempts_max is None and assignment.attempts_per_hour is None:
            return {}  # then both are graded, which costs nothing
        logger.warning("withdrawal_not_decided", user=user.name, reason=str(error))
        raise Unavailable(
            "We can't tell right now whether an earlier upload of yours is being graded. So that you don't lose an "
            "attempt, this one was not saved: submit it again in a moment."
        ) from error


def _cancel(session: Session, broker: Broker, submission_id: str) -> bool:
    try:
        return withdrawal.cancel(session, broker, submission_id)
    except BrokerDown as error:
        logger.warning("withdrawal_not_decided", submission_id=submission_id, reason=str(error))
        raise Unavailable(
            "We can't tell right now whether grading has started, so nothing was cancelled. Try again in a moment."
        ) from error
