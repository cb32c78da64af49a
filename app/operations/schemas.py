"""The service as its operators see it."""

from datetime import datetime

from pydantic import Field

from app.models import JobState, State
from app.request_values import Sent, View
from grader.messages import JobKind


class QueueState(View):
    """How many jobs wait in a queue, and how long the oldest has waited."""

    name: str
    waiting: int
    oldest_wait_s: float


class WorkerState(View):
    """The judges of one worker. A drained worker finishes its jobs and takes no more."""

    name: str
    judges: int = Field(description="processes that are alive and warm")
    last_sign_s: float | None = Field(description="seconds since the last heartbeat; None for one that is gone")
    is_drained: bool
    sandbox: str | None = Field(description="the isolation that its last report tells; None before the first")
    last_graded_at: datetime | None


class FaultView(View):
    """A job on which the service failed. It costs the student nothing."""

    submission: str
    kind: JobKind = Field(description="what the service was to do about the submission")
    challenge: str
    student: str
    state: State
    job_state: JobState = Field(description="how far the service is with it")
    requeues: int
    fault: str | None = Field(description="None once it went well")
    created_at: datetime


class Operations(View):
    """The state of the service. `is_broker_reachable` is False while Redis is away: then nothing is
    known of workers.
    """

    queues: list[QueueState]
    is_broker_reachable: bool
    record_messages: int | None = Field(description="messages of judges that wait for the recorder")
    workers: list[WorkerState]
    faults: list[FaultView]


class Drain(Sent):
    """Whether the worker is to be drained."""

    is_drained: bool
