"""What students see of a question and of its mark. Nothing here may hold a key, a feedback not yet earned, a rubric."""

from enum import StrEnum

from pydantic import BaseModel


class AnswerFormatError(Exception):
    """The answer does not have the question's form. The sentence says which form is expected."""


class Kind(StrEnum):
    """What a student gives as the answer."""

    NUMBER = "number"
    CHOICE = "choice"
    CHOICES = "choices"
    SHAPE = "shape"
    ORDER = "order"
    OUTPUT = "output"
    LINE = "line"
    TEXT = "text"


class MarkStatus(StrEnum):
    """How an answer was marked. Pending: somebody, or a judge, has yet to mark it."""

    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"
    PENDING = "pending"


class Public(BaseModel, frozen=True, extra="forbid"):
    """Base of what students may see: frozen, and a key we do not know is refused."""


class Option(Public):
    """One of several texts. The id is its place on this student's page, so it tells nothing."""

    id: str
    text: str


class QuestionView(Public):
    """A question as one student gets it."""

    id: str
    kind: Kind
    prompt: str
    code: str | None = None
    points: float
    unit: str | None = None
    options: tuple[Option, ...] = ()
    hint: str


class Mark(Public):
    """What an answer earned, and why. A pending mark waits: for a person, or until a line of code has been run."""

    status: MarkStatus
    score: float
    max_score: float
    feedback: str
