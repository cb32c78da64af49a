"""What the front end, the judge and the recorder tell each other: plain data and the names of the queues. Knows no
transport.

Contract between `app` (sends jobs, records what came of them) and `worker` (does them). A message that the other side
does not know is refused, and its job sent again: nothing is lost when one of them is upgraded first.
"""

from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Base64Bytes, BaseModel, Field, TypeAdapter

from grader.gpu_report import GpuReport
from grader.measurement import Measurement
from grader.questions import Mark, RunFacts
from grader.report import Report

JOB_TASK: Final = "assay.job"
STARTED_TASK: Final = "assay.started"
RECORD_TASK: Final = "assay.record"
FAULT_TASK: Final = "assay.fault"
PROGRESS_TASK: Final = "assay.progress"

GRADE_CPU_QUEUE: Final = "grade.cpu"
GRADE_GPU_QUEUE: Final = "grade.gpu"
CHECK_QUEUE: Final = "grade.check"  # lines of code that answer a question: short, and so not behind submissions
EXERCISES_QUEUE: Final = "grade.exercises"  # taken by verifiers alone: minutes each, so no student is behind one
RECORD_QUEUE: Final = "record"
EXERCISES_RECORD_QUEUE: Final = "record.exercises"  # what verifiers send: they see nothing of what judges do

# A header of every message: when it was sent, in seconds since the epoch.
ENDINGS_HEADER: Final = "assay_endings"  # of a report's message: how many sandbox sessions ended how
QUEUED_AT_HEADER: Final = "assay_queued_at"

# The Redis sorted set of the judges that are warm and take jobs: each with its last heartbeat.
JUDGES: Final = "assay:judges"
# And of those that take GPU stages.
GPU_JUDGES: Final = "assay:gpu-judges"
# And of the verifiers of exercise repositories.
VERIFIERS: Final = "assay:verifiers"
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
    """The Redis key that lives only while a judge has the job."""
    return f"assay:lease:{job}"


def terminal_key(job: str) -> str:
    """The Redis key that exists once nobody waits for the job any more: it is done, cancelled or superseded."""
    return f"assay:settled:{job}"


def open_key(job: str) -> str:
    """The Redis key, laid down before a job is sent, that can be taken away once: by the judge that begins it, or by
    the student who withdraws the submission. Whoever finds it gone was too late, so neither needs the database.
    """
    return f"assay:open:{job}"


class JobKind(StrEnum):
    """What judges are asked to do, and verifiers."""

    SUBMISSION = "submission"  # grade what a student has sent
    REGRADE = "regrade"  # grade it again, beside its report
    GPU = "gpu"  # run what has passed on a GPU
    CHECK = "check"  # run the line of code that answers a question
    MEASURE = "measure"  # measure what has passed, for a leaderboard
    EXERCISES = "exercises"  # fetch and verify what an exercise repository has


class ExerciseSource(BaseModel, frozen=True, extra="forbid"):
    """The commit of an exercise repository in which a judge finds the exercise, and its version there."""

    url: str
    commit: str
    version: str


class Message(BaseModel, frozen=True, extra="forbid"):
    """Base of everything that is sent about a job: frozen, and a key we do not know is refused."""

    job: str


class SubmissionRequest(Message):
    """A submission on its way to a judge. `files` maps a path within the upload to its bytes; `main` is one of them."""

    submission_id: str
    challenge: str
    source: ExerciseSource | None = None  # None: an installed exercise
    main: str
    files: dict[str, Base64Bytes]
    seed: int


class GradeRequest(SubmissionRequest):
    """A submission to be graded. `sent_as` is what its student calls the main file; `queued_at` is when it was
    uploaded, or its regrade sent.
    """

    kind: Literal[JobKind.SUBMISSION, JobKind.REGRADE] = JobKind.SUBMISSION
    sent_as: str = ""
    queued_at: float


class GpuRequest(SubmissionRequest):
    """A submission that has passed, on its way to a judge with a GPU."""

    kind: Literal[JobKind.GPU] = JobKind.GPU


class CheckRequest(Message):
    """A line of code that answers a question, on its way to a judge. `student` and `facts` give the question's
    variant.
    """

    kind: Literal[JobKind.CHECK] = JobKind.CHECK
    challenge: str
    source: ExerciseSource | None = None  # None: an installed exercise
    question: str
    student: str
    facts: RunFacts
    given: str


class MeasureRequest(SubmissionRequest):
    """A submission that has passed, to be measured for a leaderboard. The seed is new."""

    kind: Literal[JobKind.MEASURE] = JobKind.MEASURE


class ExercisesRequest(Message):
    """An exercise repository on its way to a verifier. `proven` are the digests of exercises that were verified as they
    are: they need no other proof.
    """

    kind: Literal[JobKind.EXERCISES] = JobKind.EXERCISES
    namespace: str
    url: str
    ref: str
    proven: frozenset[str] = frozenset()


class ProvenExercise(BaseModel, frozen=True, extra="forbid"):
    """An exercise that was verified: `digest` is of all that the proof depends on."""

    slug: str = Field(max_length=64)
    version: str = Field(max_length=64)
    digest: str = Field(max_length=64)


class Started(Message):
    """A judge has begun the job. `at` is seconds since the epoch."""

    worker: str
    at: float


class Progressed(Message):
    """What a verifier is doing, as a sentence for whoever waits for it."""

    text: str = Field(max_length=200)


class Fault(Message):
    """The service failed, not the student, and the judge gave up for now. The job waits and is sent again later."""

    reason: str


class Graded(Message):
    """The report, once and for all. `packages` says what the submission ran with: a digest each."""

    kind: Literal[JobKind.SUBMISSION, JobKind.REGRADE] = JobKind.SUBMISSION
    report: Report
    packages: dict[str, str] = {}
    has_gpu_stage: bool = False  # the challenge has one: what has passed may be put to it


class GpuRun(Message):
    """What a GPU found of a submission."""

    kind: Literal[JobKind.GPU] = JobKind.GPU
    report: GpuReport


class Checked(Message):
    """What running the line gave."""

    kind: Literal[JobKind.CHECK] = JobKind.CHECK
    mark: Mark


class Measured(Message):
    """What measuring a submission found, against which version of the challenge and on which worker."""

    kind: Literal[JobKind.MEASURE] = JobKind.MEASURE
    measurement: Measurement
    challenge_version: str
    worker: str


class ExercisesFound(Message):
    """What a verifier found in a repository. With a `refusal` nothing of it goes live. `commit` is empty where nothing
    could be fetched; `source` is where judges fetch it; `public`, what students may see, packed.
    """

    kind: Literal[JobKind.EXERCISES] = JobKind.EXERCISES
    commit: str = Field(default="", pattern="^([0-9a-f]{40,64})?$")
    source: str = Field(default="", max_length=500)
    exercises: tuple[ProvenExercise, ...] = ()
    public: Base64Bytes = b""
    refusal: str | None = Field(default=None, max_length=4000)


Request = Annotated[
    GradeRequest | GpuRequest | CheckRequest | MeasureRequest | ExercisesRequest, Field(discriminator="kind")
]
Result = Annotated[Graded | GpuRun | Checked | Measured | ExercisesFound, Field(discriminator="kind")]
REQUEST: Final[TypeAdapter[Request]] = TypeAdapter(Request)
RESULT: Final[TypeAdapter[Result]] = TypeAdapter(Result)
