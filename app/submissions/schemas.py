"""A submission as its student and the staff see it."""

from datetime import datetime
from typing import Final

from pydantic import BaseModel, ConfigDict

from app.models import State, Submission
from grader.report import Report, Verdict

WAITING: Final = "The grader is having trouble; your submission is safe and will be graded."


class View(BaseModel):
    model_config = ConfigDict(frozen=True)


class Links(View):
    """Paths on this server."""

    self: str
    events: str
    questions: str
    answers: str
    web: str


class SubmissionItem(View):
    """A submission in a list: everything but the report."""

    id: str
    challenge: str
    filename: str
    sha256: str
    state: State
    created_at: datetime
    started_at: datetime | None
    graded_at: datetime | None
    attempt: int
    student: str
    verdict: Verdict | None
    score: float | None
    max_score: float | None
    waiting: str | None
    links: Links


class SubmissionView(SubmissionItem):
    report: Report | None


class SubmissionPage(View):
    items: list[SubmissionItem]
    next_cursor: str | None


def links_of(submission_id: str) -> Links:
    base = f"/api/v1/submissions/{submission_id}"
    return Links(
        self=base,
        events=f"{base}/events",
        questions=f"{base}/questions",
        answers=f"{base}/answers",
        web=f"/submissions/{submission_id}",
    )


def item_of(submission: Submission) -> SubmissionItem:
    """`submission.user` must be loaded."""
    return SubmissionItem(
        id=submission.id,
        challenge=submission.challenge,
        filename=submission.filename,
        sha256=submission.sha256,
        state=submission.state,
        created_at=submission.created_at,
        started_at=submission.started_at,
        graded_at=submission.graded_at,
        attempt=submission.attempt,
        student=submission.user.name,
        verdict=submission.verdict,
        score=submission.score,
        max_score=submission.max_score,
        waiting=WAITING if submission.fault and not submission.state.is_final else None,
        links=links_of(submission.id),
    )


def view_of(submission: Submission, *, as_staff: bool) -> SubmissionView:
    """`submission.user` and `submission.report` must be loaded. A student gets the student's view of the report."""
    report = Report.model_validate_json(submission.report.body) if submission.report else None
    if report is not None and not as_staff:
        report = report.for_student()
    return SubmissionView(**dict(item_of(submission)), report=report)
