"""How many submissions there are, and how long the queues, for the metrics."""

from typing import Final

from sqlalchemy import func, select

from app.broker import Broker
from app.database import Database
from app.line.dispatch import QUEUES
from app.metrics import BrokerState, QueueLength, Tally
from app.models import GpuStage, State, Submission, now
from grader.gpu_report import GpuState
from grader.messages import GRADE_GPU_QUEUE

# How many GPU stages wait, and since when the first of their submissions has its verdict.
_STAGES: Final = (
    select(func.count(), func.min(Submission.graded_at))
    .select_from(GpuStage)
    .join(Submission)
    .where(GpuStage.state == GpuState.WAITING)
)


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
        stages, since = session.execute(_STAGES).one()
    if since is not None:  # they wait in line for the same workers
        gpu = found.get(GRADE_GPU_QUEUE, QueueLength(GRADE_GPU_QUEUE, 0, 0.0))
        oldest_s = max(gpu.oldest_s, (moment - since).total_seconds())
        found[GRADE_GPU_QUEUE] = QueueLength(GRADE_GPU_QUEUE, gpu.waiting + stages, oldest_s)
    return [found.get(name, QueueLength(name, 0, 0.0)) for name in QUEUES]


def broker_state(broker: Broker) -> BrokerState:
    """Raises BrokerDown."""
    return BrokerState(judges=broker.judges(), record_messages=broker.record_messages())


def tallies(database: Database) -> list[Tally]:
    """How many submissions there are, for the metrics."""
    kinds = (Submission.challenge, Submission.state, Submission.verdict)
    with database.read() as session:
        rows = session.execute(select(*kinds, func.count()).group_by(*kinds)).all()
    return [Tally(challenge, state, verdict or "none", count) for challenge, state, verdict, count in rows]
