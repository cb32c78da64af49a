"""What the front end, the judge and the recorder tell each other: plain data and the names of the queues. Knows no
transport.

Contract between `app` (sends grade requests, records) and `worker` (grades): a change here must keep old messages
readable.
"""

from typing import Final, Literal

from pydantic import Base64Bytes, BaseModel, ConfigDict

from grader.gpu_report import GpuReport
from grader.questions import Mark, RunFacts
from grader.report import Report

GRADE_TASK: Final = "assay.grade"
STARTED_TASK: Final = "assay.started"
RECORD_TASK: Final = "assay.record"
FAULT_TASK: Final = "assay.fault"
CHECK_TASK: Final = "assay.check"
CHECKED_TASK: Final = "assay.checked"
GPU_TASK: Final = "assay.gpu"
GPU_TOLD_TASK: Final = "assay.gpu-told"

GRADE_CPU_QUEUE: Final = "grade.cpu"
GRADE_GPU_QUEUE: Final = "grade.gpu"
CHECK_QUEUE: Final = "grade.check"  # lines of code that answer a question: short, and so not behind submissions
RECORD_QUEUE: Final = "record"

# A header of every message: when it was sent, in seconds since the epoch.
ENDINGS_HEADER: Final = "assay_endings"  # of a report's message: how many sandbox sessions ended how
QUEUED_AT_HEADER: Final = "assay_queued_at"

# The Redis sorted set of the judges that are warm and take jobs: each with its last sign of life.
JUDGES: Final = "assay:judges"
# And of those that take GPU stages.
GPU_JUDGES: Final = "assay:gpu-judges"
SIGN_OF_LIFE_S: Final = 15
# The Redis set of the workers, by name, that are to take nothing more.
DRAINED: Final = "assay:drained"
STREAM_TTL_S: Final = 24 * 3600  # a progress stream that nobody writes to any more


def events_stream(submission_id: str) -> str:
    """The Redis stream on which a submission's progress is told. Fields: `event` (state, test, verdict), `data`
    (JSON).
    """
    return f"assay:events:{submission_id}"


def lease_key(job: str) -> str:
    """The Redis key that lives only while a judge works on the submission or its regrade."""
    return f"assay:lease:{job}"


def settled_key(submission_id: str) -> str:
    """The Redis key that is there once nobody waits for a grading any more: it is graded, cancelled or superseded."""
    return f"assay:settled:{submission_id}"


def open_key(submission_id: str) -> str:
    """The Redis key, laid down before a submission is sent, that can be taken away once: by the judge that begins it,
    or by its student, who takes it back. Whoever finds it gone was too late, so neither needs the database to be sure.
    """
    return f"assay:open:{submission_id}"


def gpu_job_of(submission_id: str) -> str:
    """The name under which a judge holds its lease on the submission's GPU stage."""
    return f"{submission_id}@gpu"


def job_of(submission_id: str, regrade: str | None) -> str:
    """The name under which a judge holds its lease."""
    return f"{submission_id}@{regrade}" if regrade else submission_id


class Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GradeRequest(Message):
    """A submission on its way to a judge. `files` maps a path within the upload to its bytes; `main` is one of them.

    `queued_at` is when it was uploaded, or its regrade sent. `regrade` is set when staff want it graded once more,
    beside its report.
    """

    submission_id: str
    challenge: str
    main: str
    files: dict[str, Base64Bytes]
    seed: int
    queued_at: float
    regrade: str | None = None

    @property
    def job(self) -> str:
        """What is being worked on: the submission, or its regrade."""
        return job_of(self.submission_id, self.regrade)


class GpuRequest(Message):
    """The GPU stage of a submission that has passed, on its way to a judge with a card. As in a GradeRequest."""

    stage: Literal["gpu"] = "gpu"
    submission_id: str
    challenge: str
    main: str
    files: dict[str, Base64Bytes]
    seed: int

    @property
    def job(self) -> str:
        return gpu_job_of(self.submission_id)


class GpuTold(Message):
    """What a judge with a card says of a stage: that it began, its report, or that the service failed on it."""

    submission_id: str
    worker: str
    report: GpuReport | None = None
    fault: str | None = None


class Started(Message):
    """A judge took the submission. `at` is seconds since the epoch."""

    submission_id: str
    worker: str
    at: float


class Graded(Message):
    """A judge finished: the report, once and for all. `packages` says what the submission ran with: a digest each."""

    submission_id: str
    report: Report
    packages: dict[str, str] = {}
    regrade: str | None = None
    has_gpu_stage: bool = False  # the challenge has one: what has passed may be put to it


class Fault(Message):
    """The service failed (not the student) and gave up for now; the submission waits and is queued again later."""

    submission_id: str
    reason: str
    regrade: str | None = None


class CheckRequest(Message):
    """A line of code that answers a question, on its way to a judge. `student` and `facts` give the question's
    variant; `version` is that of the answer, so that the mark of an earlier one is known for what it is.
    """

    answer_id: str
    version: int
    challenge: str
    question: str
    student: str
    facts: RunFacts
    given: str


class Checked(Message):
    """A judge has run the line."""

    answer_id: str
    version: int
    mark: Mark
