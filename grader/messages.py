"""What the front end, the judge and the recorder tell each other: plain data and the names of the queues. Knows no
transport.

Contract between `app` (sends grade requests, records) and `worker` (grades): a change here must keep old messages
readable.
"""

from typing import Final

from pydantic import Base64Bytes, BaseModel, ConfigDict

from grader.report import Report

GRADE_TASK: Final = "assay.grade"
STARTED_TASK: Final = "assay.started"
RECORD_TASK: Final = "assay.record"
FAULT_TASK: Final = "assay.fault"

GRADE_CPU_QUEUE: Final = "grade.cpu"
GRADE_GPU_QUEUE: Final = "grade.gpu"
RECORD_QUEUE: Final = "record"

JUDGES: Final = "assay:judge:"


def events_stream(submission_id: str) -> str:
    """The Redis stream on which a submission's progress is told. Fields: `event` (state, test, verdict), `data`
    (JSON).
    """
    return f"assay:events:{submission_id}"


def lease_key(submission_id: str) -> str:
    """The Redis key that lives only while a judge works on the submission."""
    return f"assay:lease:{submission_id}"


def judge_key(judge: str) -> str:
    """The Redis key that lives only while this judge does: it is warm and takes jobs."""
    return f"{JUDGES}{judge}"


class Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GradeRequest(Message):
    """A submission on its way to a judge. `files` maps a path within the upload to its bytes; `main` is one of them."""

    submission_id: str
    challenge: str
    main: str
    files: dict[str, Base64Bytes]
    seed: int
    queued_at: float


class Started(Message):
    """A judge took the submission. `at` is seconds since the epoch."""

    submission_id: str
    worker: str
    at: float


class Graded(Message):
    """A judge finished: the report, once and for all."""

    submission_id: str
    report: Report


class Fault(Message):
    """The service failed (not the student) and gave up for now; the submission waits and is queued again later."""

    submission_id: str
    reason: str
