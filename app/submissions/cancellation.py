"""A student cancels a submission that waits, or supersedes it by a newer one. That is possible until a judge begins:
then the student may have heard every test.

A submission that was never dispatched is withdrawn in the database alone. A dispatched one a judge may begin without
the database, so Redis says who was first (`Broker.withdraw`). A requeued one may have been begun by the judge that
failed, so it can no longer be withdrawn; it is graded, and costs no attempt until it is.
"""

from datetime import datetime

import structlog
from sqlalchemy import ColumnElement, and_, select, update
from sqlalchemy.orm import Session

from app.broker import Broker, BrokerDown
from app.database import Database
from app.jobs.transitions import withdraw
from app.models import Assignment, Job, JobState, State, Submission, User
from app.problems import Conflict, Forbidden, Unavailable
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
    theirs = and_(Submission.user_id == user.id, Submission.assignment_id == assignment.id)
    try:
        return _withdraw(session, broker, theirs, State.SUPERSEDED)
    except BrokerDown as error:
        if assignment.attempts_max is None and assignment.attempts_per_hour is None:
            return {}  # then both are graded, which costs nothing
        logger.warning("withdrawal_not_decided", user=user.name, reason=str(error))
        raise Unavailable(
            "We can't tell right now whether an earlier upload of yours is being graded. So that you don't lose an "
            "attempt, this one was not saved: submit it again in a moment."
        ) from error


def _cancel(session: Session, broker: Broker, submission_id: str) -> bool:
    """Returns False when a judge has begun it."""
    try:
        return bool(_withdraw(session, broker, Submission.id == submission_id, State.CANCELLED))
    except BrokerDown as error:
        logger.warning("withdrawal_not_decided", submission_id=submission_id, reason=str(error))
        raise Unavailable(
            "We can't tell right now whether grading has started, so nothing was cancelled. Try again in a moment."
        ) from error


def _withdraw(session: Session, broker: Broker, which: ColumnElement[bool], end: State) -> dict[str, datetime]:
    """Locks the rows until the transaction ends, so that nobody dispatches or requeues them meanwhile. Returns since
    when each of those that were withdrawn waited, by id. Raises BrokerDown when nobody can say whether a judge has
    begun.
    """
    may_be_free = and_(which, Submission.state == State.QUEUED, Job.tries == 0)
    columns = (Submission.id, Submission.waiting_since, Job.state)
    query = select(*columns).join(Job, Job.id == Submission.id).where(may_be_free).with_for_update(of=Job)
    waiting = session.execute(query).all()
    free = {each: since for each, since, state in waiting if state is JobState.WAITING or broker.withdraw(each)}
    if free:
        withdraw(session, Job.id.in_(free))
        session.execute(
            update(Submission)
            .where(Submission.id.in_(free))
            .values(state=end)
            .execution_options(synchronize_session=False)
        )
    return free
