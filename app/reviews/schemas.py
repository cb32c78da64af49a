"""An answer as its reader sees it: nothing here says whose it is."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, FiniteFloat

from app.models import Role
from app.request_values import Sent, View

COMMENT_MAX = 4000


class Stand(StrEnum):
    """The review state of an answer, for the person who asks."""

    WAITING = "waiting"  # nobody has read it
    MARKED = "marked"
    SECOND = "second"  # marked once, by somebody else: it may be read a second time
    DIFFERING = "differing"  # two readers gave it different points


class ReviewItem(View):
    """An answer in a list."""

    id: str
    challenge: str
    question: str
    assignment: str | None = Field(description="its name in the course; null: practice")
    beginning: str
    given_at: datetime
    is_late: bool
    readings: int = Field(description="how many have read it; 2 at most")
    score: float | None = Field(description="what the first reader gave; left out for a second one")
    max_score: float


class AgreementView(View):
    """How far readers agree over all concepts of all answers that two have graded."""

    decisions: int
    share: float = Field(description="of the decisions in which both readers gave the same points")
    kappa: float | None = Field(description="Cohen's kappa, unweighted; null where chance alone would explain all")


class QuestionGroup(View):
    """A question, and how many of its answers are in each state."""

    challenge: str
    question: str
    waiting: int
    marked: int
    second: int
    differing: int
    agreement: AgreementView | None


class ReviewPage(View):
    """A page of answers to review, with the questions of the course."""

    questions: list[QuestionGroup]
    items: list[ReviewItem]
    next_cursor: str | None


class ConceptView(View):
    """A concept of a rubric, and its points."""

    concept: str
    points: float


class GivenPoints(View):
    """The points that a reader gave for a concept."""

    concept: str
    points: float
    max_points: float


class ReadingView(View):
    """The grade that one reader gave."""

    place: int = Field(description="1: its points count; 2: they are compared")
    reader: str
    role: Role
    is_mine: bool
    points: list[GivenPoints]
    score: float
    comment: str
    read_at: datetime


class KeptComment(View):
    """A comment that was given to an earlier answer to this question."""

    text: str
    used: int


class ReviewView(ReviewItem):
    """An answer with its rubric and grades."""

    version: int = Field(description="send it along with the points")
    prompt: str = Field(description="the question with this student's numbers")
    answer: str
    rubric: list[ConceptView]
    given: list[ReadingView] = Field(description="the first one's are left out while one reads as the second")
    comments: list[KeptComment]
    previous: str | None
    next: str | None


class PointsIn(Sent):
    """A human grade to give."""

    version: int = Field(description="of the answer that was read")
    points: list[Annotated[FiniteFloat, Field(ge=0)]] = Field(
        fail_fast=True, max_length=50, description="for each concept, in order"
    )
    comment: Annotated[str, Field(max_length=COMMENT_MAX)] = ""
    second: bool = Field(default=False, description="as the second reader: to be compared, not to count")


class Proposal(View):
    """A model's suggested points for a concept. They count only once a person gives them."""

    concept: int = Field(description="its number in the rubric, from 1")
    points: float
    passage: str = Field(description="stands in the answer, word for word")


class ProposalList(View):
    """The suggestions for an answer."""

    items: list[Proposal]
    dropped: int = Field(description="proposals whose passage is not in the answer, or whose points the rubric forbids")
