"""How long the queues are, for the metrics."""

from sqlalchemy import func, select

from app.broker import Broker
from app.database import Database
from app.line.dispatch import QUEUES
from app.metrics import BrokerState, QueueLength
from app.models import State, Submission, now


def queue_lengths(database: Database) -> list[QueueLength]:
    """Of every queue, also an empty one. Raises DATABASE_FAULTS."""
    query = (
        select(Submission.queue, func.count(), func.min(Submission.waiting_since))
        .where(Submission.state == State.QUEUED)
        .group_by(Submission.queue)
    )
    moment = now()
    with database.read() as session:
        found = {
            name: QueueLength(name, count, max(0.0, (moment - oldest).total_seconds()))
            for name, count, oldest in session.execute(query)
        }
    return [found.get(name, QueueLength(name, 0, 0.0)) for name in QUEUES]


def broker_state(broker: Broker) -> BrokerState:
    """Raises BrokerDown."""
    return BrokerState(judges=broker.judges(), record_messages=broker.record_messages())
