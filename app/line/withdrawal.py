"""Taking back what waits. It is free until a judge begins, and never again: the student may have heard every test.

What was never sent is the database's to decide. What was sent, judges may begin without the database, so Redis says
who was first (`Broker.withdraw`). What was put back after a fault may have been begun by the judge that failed: it is
graded, and costs nothing until it is.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, select, update
from sqlalchemy.orm import Session

from app.broker import Broker
from app.models import Assignment, State, Submission, User


def cancel(session: Session, broker: Broker, submission_id: str) -> bool:
    """The student takes it back. False when a judge was quicker. Raises BrokerDown when nobody can say."""
    return bool(_withdraw(session, broker, Submission.id == submission_id, State.CANCELLED))


def supersede(session: Session, broker: Broker, user: User, assignment: Assignment) -> dict[str, datetime]:
    """Whatever this student has waiting for the assignment ends, to make room for a newer one; what a judge has begun
    goes on. Returns since when each of them waited, by id. Raises BrokerDown when nobody can say.
    """
    theirs = and_(Submission.user_id == user.id, Submission.assignment_id == assignment.id)
    return _withdraw(session, broker, theirs, State.SUPERSEDED)


def _withdraw(session: Session, broker: Broker, which: ColumnElement[bool], end: State) -> dict[str, datetime]:
    """The rows stay locked until the transaction ends, so nobody sends them or puts them back meanwhile."""
    may_be_free = and_(which, Submission.state == State.QUEUED, Submission.requeues == 0)
    columns = (Submission.id, Submission.waiting_since, Submission.queued_at)
    waiting = session.execute(select(*columns).where(may_be_free).with_for_update()).all()
    free = {each: since for each, since, sent_at in waiting if sent_at is None or broker.withdraw(each)}
    if free:
        session.execute(
            update(Submission)
            .where(Submission.id.in_(free))
            .values(state=end, fault=None)
            .execution_options(synchronize_session=False)
        )
    return free
