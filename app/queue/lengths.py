"""How many submissions there are, and how long the queues are, for the metrics."""

from collections import Counter
from typing import Final

from sqlalchemy import false, func, literal, select, union_all

from app.assignments.schedule import HOLDING
from app.broker import Broker
from app.database import Database
from app.metrics import BrokerState, QueueLength, Tally
from app.models import Assignment, GpuStage, State, Submission, now
from grader.gpu_report import GpuState
from grader.messages import GRADE_CPU_QUEUE, GRADE_GPU_QUEUE

_SUBMISSIONS: Final = select(func.count(), func.min(Submission.waiting_since)).where(Submission.state == State.QUEUED)
# A stage waits since its submission has a verdict.
_STAGES: Final = (
    select(func.count(), func.min(Submission.graded_at))
    .select_from(GpuStage)
    .join(Submission)
    .where(GpuStage.state == GpuState.WAITING)
)
_LENGTHS: Final = union_all(
    _SUBMISSIONS.add_columns(literal(GRADE_CPU_QUEUE)), _STAGES.add_columns(literal(GRADE_GPU_QUEUE))
)


def queue_lengths(database: Database) -> list[QueueLength]:
    """Returns the length of every queue, empty ones too, and how long its oldest has waited. Raises DATABASE_FAULTS."""
    moment = now()
    with database.read() as session:
        found = session.execute(_LENGTHS).all()
    return [
        QueueLength(name, count, max(0.0, (moment - oldest).total_seconds()) if oldest else 0.0)
        for count, oldest, name in found
    ]


def broker_state(broker: Broker) -> BrokerState:
    """Returns how many judges there are, and how many messages wait for the recorder. Raises BrokerDown."""
    return BrokerState(judges=broker.judges(), record_messages=broker.record_messages())


def tallies(database: Database) -> list[Tally]:
    """Counts submissions by challenge, state and verdict, which is `held` while grades are: of a single student's it
    would tell. Raises DATABASE_FAULTS.
    """
    is_held = func.coalesce(HOLDING, false())
    kinds = (Submission.challenge, Submission.state, Submission.verdict, is_held)
    query = select(*kinds, func.count()).outerjoin(Assignment, Assignment.id == Submission.assignment_id)
    with database.read() as session:
        rows = session.execute(query.group_by(*kinds)).all()
    found = Counter[tuple[str, str, str]]()
    for challenge, state, verdict, held, count in rows:
        found[challenge, state, "none" if verdict is None else "held" if held else verdict] += count
    return [Tally(*kind, count) for kind, count in found.items()]
