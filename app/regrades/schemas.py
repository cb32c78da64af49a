"""A regrade as staff see it."""

from datetime import datetime

from pydantic import Field

from app.models import RegradeState
from app.request_values import Sent, View
from grader.report import TestStatus, Verdict

SUBMISSIONS_MAX = 10_000


class Selection(Sent):
    """Which submissions to grade again."""

    submissions: list[str] | None = Field(
        default=None,
        fail_fast=True,
        min_length=1,
        max_length=SUBMISSIONS_MAX,
        description="their ids; without it, all that are graded",
    )


class Result(View):
    """A verdict and a score."""

    verdict: Verdict
    score: float


class TestChange(View):
    """A test with another result; None where the other version of the challenge has no such test."""

    id: str
    title: str
    before: TestStatus | None
    after: TestStatus | None


class Change(View):
    """A submission whose verdict or score would change."""

    submission: str
    student: str
    attempt: int
    before: Result
    after: Result
    tests: list[TestChange]


class RegradeView(View):
    """`gain` and `lose` count submissions whose score would rise or fall."""

    id: str
    course: str
    assignment: str
    challenge_version: str
    state: RegradeState
    asked_by: str
    created_at: datetime
    ended_at: datetime | None
    total: int
    waiting: int
    failed: int = Field(description="could not be graded again; their reports stay as they are")
    gain: int
    lose: int
    verdict_changes: int


class Preview(RegradeView):
    """A regrade with the submissions that it would change."""

    changes: list[Change]
    next_cursor: str | None


class RegradeList(View):
    """The regrades of an assignment."""

    items: list[RegradeView]
