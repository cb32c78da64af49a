"""What the server says, as data. Unknown keys are let through: students update later than their server."""

from datetime import datetime
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

from grader.report import ChallengeRef, Environment, Report, Verdict


class Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class State(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    GRADED = "graded"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"

    @property
    def is_final(self) -> bool:
        return self not in {State.QUEUED, State.RUNNING}


class Links(Wire):
    web: str | None = None


class Place(Wire):
    """Where one stands in line, and how long gradings take. What the server does not know is None."""

    position: int | None = None
    estimated_start_at: datetime | None = None
    grading_p50_s: float | None = None
    grading_p95_s: float | None = None


class Score(Wire):
    """What one has in an assignment."""

    code: float
    code_max: float
    questions: float
    questions_max: float
    total: float
    total_max: float
    unanswered: int
    waiting: int


class Fix(Wire):
    """What came of mending the file of a bug hunt."""

    number: int
    is_solved: bool
    message: str


class Spread(Wire):
    """Of some measurements of one thing."""

    median: float
    least: float
    most: float


class GpuReport(Wire):
    """What a graphics card took, as ratios to a plain right answer on the same card."""

    device: str
    size: str | None = None
    time: Spread | None = None
    memory_ratio: float | None = None


class Gpu(Wire):
    """How a submission that has passed fares on a graphics card."""

    state: str
    message: str
    report: GpuReport | None = None

    @property
    def is_open(self) -> bool:
        return self.state in ("waiting", "running")


class Submission(Wire):
    id: str
    challenge: str
    filename: str
    state: State
    created_at: datetime
    attempt: int
    hunt: Fix | None = None
    student: str | None = None
    assignment: str | None = None
    assignment_score: Score | None = None
    verdict: Verdict | None = None
    score: float | None = None
    max_score: float | None = None
    report: Report | None = None
    gpu: Gpu | None = None
    receipt: str | None = None
    waiting: str | None = None
    queue: Place | None = None
    links: Links = Links()


class Symptoms(Wire):
    """What is seen of a bug."""

    text: str
    fails: tuple[str, ...]
    agrees: tuple[str, ...] = ()
    case: str = ""
    snippet: str | None = None


class Cause(Wire):
    """What a bug was."""

    title: str
    explanation: str


class Hunt(Wire):
    """A file with a bug in it, handed out to be mended."""

    number: int
    default_path: str
    source: str
    symptoms: Symptoms
    lines_max: int
    tries: int
    is_solved: bool
    cause: Cause | None = None
    left: int = 0

    @field_validator("default_path")
    @classmethod
    def _stays_in_its_folder(cls, path: str) -> str:
        return _project_path(path)


class PublicKey(Wire):
    """An Ed25519 key as a JSON Web Key has it."""

    kid: str
    x: str


class KeySet(Wire):
    keys: tuple[PublicKey, ...]


class Receipt(Wire):
    """What a receipt says."""

    submission: str
    student: str
    attempt: int
    graded_at: datetime
    challenge: ChallengeRef
    sha256: str
    verdict: Verdict
    score: float
    max_score: float
    environment: Environment


class SubmissionPage(Wire):
    items: tuple[Submission, ...]
    next_cursor: str | None = None


def _project_path(path: str) -> str:
    """We write to it, so it must not lead out of the student's folder."""
    parts = PurePosixPath(path).parts
    if (
        not path.endswith(".py")
        or not path.isprintable()
        or set(path) & set(":\\")
        or not parts
        or {"/", ".."} & set(parts)
    ):
        raise ValueError("not a path inside a project")
    return path


class ChallengeItem(Wire):
    slug: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]  # files are called by it
    title: str
    summary: str = ""
    upload: str
    default_path: str
    max_score: float

    @field_validator("default_path")
    @classmethod
    def _stays_in_the_project(cls, path: str) -> str:
        return _project_path(path)


class ChallengeList(Wire):
    items: tuple[ChallengeItem, ...]


class FamilyItem(Wire):
    id: str
    title: str


class ChallengeDetail(ChallengeItem):
    spec: str
    families: tuple[FamilyItem, ...] = ()
    libraries: dict[str, str] = {}

    @field_validator("libraries")
    @classmethod
    def _stay_in_the_project(cls, libraries: dict[str, str]) -> dict[str, str]:
        return {_project_path(path): text for path, text in libraries.items()}

    def titles(self) -> dict[str, str]:
        """The families' names, by id."""
        return {family.id: family.title for family in self.families}


class Me(Wire):
    name: str
    role: str


class Option(Wire):
    id: str
    text: str


class Mark(Wire):
    status: str
    score: float
    max_score: float
    feedback: str = ""


class Answer(Wire):
    """`marked_by` is what the person who marked it is in the course; None: a machine did."""

    given: JsonValue
    mark: Mark
    is_late: bool = False
    marked_by: str | None = None


class Solution(Wire):
    """What would have been right."""

    answer: JsonValue
    explanation: str = ""


class Standing(Wire):
    """What may follow an answer. `refusal` says why nothing more is taken."""

    answers_left: int | None = None
    refusal: str | None = None
    solution: Solution | None = None


class Question(Standing):
    id: str
    kind: str
    prompt: str
    code: str | None = None
    points: float
    unit: str | None = None
    options: tuple[Option, ...] = ()
    hint: str | None = None
    answer: Answer | None = None


class QuestionList(Wire):
    items: tuple[Question, ...]


class MarkedAnswer(Answer, Standing):
    question: str


class AnswerList(Wire):
    items: tuple[MarkedAnswer, ...]


class StateEvent(Wire):
    state: State


class TestEvent(Wire):
    """One test as it ends; `done` of `total`."""

    __test__ = False  # pytest: this is not a test class

    group: str = ""
    title: str = ""
    status: str = ""
    done: int = Field(default=0, ge=0)
    total: int = Field(default=0, ge=0)
