"""The service as its operators see it."""

from datetime import datetime

from pydantic import Field

from app.models import State
from app.values import Sent, View


class QueueState(View):
    name: str
    waiting: int
    oldest_wait_s: float


class WorkerState(View):
    """Some judges of one name. Drained: it ends what it has, and takes nothing more."""

    name: str
    judges: int = Field(description="processes that are alive and warm")
    last_sign_s: float | None = Field(description="seconds since the last sign of life; None for one that is gone")
    is_drained: bool
    sandbox: str | None = Field(description="the isolation that its last report tells; None before the first")
    last_graded_at: datetime | None


class FaultView(View):
    """A submission on which the service failed. It costs the student nothing."""

    submission: str
    challenge: str
    student: str
    state: State
    requeues: int
    fault: str | None = Field(description="None once it went well")
    created_at: datetime


class Operations(View):
    """`is_broker_reachable` is False while Redis is away: then nothing is known of workers."""

    queues: list[QueueState]
    is_broker_reachable: bool
    record_messages: int | None = Field(description="messages of judges that wait for the recorder")
    workers: list[WorkerState]
    faults: list[FaultView]


class Drain(Sent):
    is_drained: bool
