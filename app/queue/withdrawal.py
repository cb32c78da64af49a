"""Withdraws submissions that wait. That is possible until a judge begins: then the student may have heard every test.

A submission that was never dispatched is withdrawn in the database alone. A dispatched one a judge may begin without
the database, so Redis says who was first (`Broker.withdraw`). A requeued one may have been begun by the judge that
failed, so it can no longer be withdrawn; it is graded, and costs no attempt until it is.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, select, update
from sqlalchemy.orm import Session

from app.broker import Broker
from app.jobs.transitions import withdraw
from app.models import Assignment, Job, JobState, State, Submission, User


def cancel(session: Session, broker: Broker, submission_id: str) -> bool:
    """Cancels a submission for its student. Returns False when a judge has begun it.

    Raises BrokerDown when nobody can say.
    """
    return bool(_withdraw(session, broker, Submission.id == submission_id, State.CANCELLED))


def supersede(session: Session, broker: Broker, user: User, assignment: Assignment) -> dict[str, datetime]:
    """Withdraws the student's waiting submissions to the assignment, to make room for a newer one; a submission that a
    judge has begun goes on. Returns since when each of them waited, by id. Raises BrokerDown when nobody can say.
    """
    theirs = and_(Submission.user_id == user.id, Submission.assignment_id == assignment.id)
    return _withdraw(session, broker, theirs, State.SUPERSEDED)


def _withdraw(session: Session, broker: Broker, which: ColumnElement[bool], end: State) -> dict[str, datetime]:
    """Locks the rows until the transaction ends, so that nobody dispatches or requeues them meanwhile."""
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
