"""A submission as the server tells it: how it stands, what it is worth, how it fares on a GPU."""

from datetime import datetime
from enum import StrEnum

from engine.wire.base import Wire
from grader.report import Report, Verdict


class State(StrEnum):
    """How far a submission has come."""

    QUEUED = "queued"
    RUNNING = "running"
    GRADED = "graded"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"

    @property
    def is_final(self) -> bool:
        """Whether nothing more will happen to the submission."""
        return self not in {State.QUEUED, State.RUNNING}


class Links(Wire):
    """Pages about a submission."""

    web: str | None = None


class QueuePosition(Wire):
    """The position in the queue, and how long gradings take. What the server does not know is None."""

    position: int | None = None
    estimated_start_at: datetime | None = None
    grading_p50_s: float | None = None
    grading_p95_s: float | None = None


class Override(Wire):
    """Points that the course's staff gave in place of the computed ones."""

    points: float
    reason: str


class Score(Wire):
    """What one has in an assignment."""

    code: float
    code_max: float
    questions: float
    questions_max: float
    total: float
    total_max: float
    is_held: bool = False
    late_deduction: float = 0.0
    override: Override | None = None


class Fix(Wire):
    """What came of mending the file of a bug hunt."""

    number: int
    is_solved: bool
    message: str


class Spread(Wire):
    """The median and the extremes of several measurements."""

    median: float
    least: float
    most: float


class GpuReport(Wire):
    """What a GPU took, as ratios to a plain right answer on the same GPU."""

    device: str
    size: str | None = None
    time: Spread | None = None
    memory_ratio: float | None = None


class Gpu(Wire):
    """How a submission that has passed fares on a GPU."""

    state: str
    message: str
    report: GpuReport | None = None

    @property
    def is_open(self) -> bool:
        """Whether a report may still come."""
        return self.state in ("waiting", "running")


class Submission(Wire):
    """A submission with all that the server tells its student of it."""

    id: str
    challenge: str
    filename: str
    sha256: str = ""  # over all files
    state: State
    created_at: datetime
    attempt: int
    hunt: Fix | None = None
    student: str | None = None
    assignment: str | None = None
    assignment_title: str | None = None  # of servers that tell it
    time_zone: str | None = None
    assignment_score: Score | None = None
    late_percent: float = 0.0
    points: float | None = None
    verdict: Verdict | None = None
    score: float | None = None
    max_score: float | None = None
    report: Report | None = None
    gpu: Gpu | None = None
    receipt: str | None = None
    is_held: bool = False
    waiting: str | None = None
    queue: QueuePosition | None = None
    links: Links = Links()

    @property
    def assignment_name(self) -> str:
        """What people call the assignment; its address, where the server does not say that."""
        return self.assignment_title or self.assignment or ""


class SentFile(Wire):
    """A file of a submission, as text."""

    path: str
    text: str


class SubmissionPage(Wire):
    """One page of submissions, the newest first; `next_cursor` asks for the next."""

    items: tuple[Submission, ...]
    next_cursor: str | None = None
