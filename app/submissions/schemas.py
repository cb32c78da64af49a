"""A submission as its student and the staff see it."""

from datetime import datetime
from typing import Final

from pydantic import Field
from sqlalchemy.orm import joinedload, selectinload

from app.assignments.late_policy import days_late, late_at, points_of
from app.assignments.schemas import AssignmentScore, told_score
from app.assignments.terms import terms_for
from app.gpu.schemas import GpuView, gpu_view
from app.models import Assignment, Feedback, Fix, State, Submission, SubmissionKind, now
from app.queue.positions import Positions
from app.request_values import View
from app.submissions.feedback import TOLD_ALL, for_student, is_held, told_graded_at, told_of, told_state
from grader.report import Report, Verdict

# What an item shows beside the row itself.
ITEM: Final = (
    joinedload(Submission.user),
    joinedload(Submission.job, innerjoin=True),
    joinedload(Submission.assignment).joinedload(Assignment.course),
    joinedload(Submission.fix).joinedload(Fix.hunt),
    joinedload(Submission.near_hunt),
    selectinload(Submission.exceptions),
    joinedload(Submission.gpu_stage),
)
WAITING: Final = "The grader is having trouble; your submission is safe and will be graded."

GIVEN_UP: Final = (
    "The grader kept failing on your submission. That is our fault, not yours: it does not count as an attempt, "
    "and the operator has been notified. Submit it again later."
)


class Links(View):
    """Paths on this server."""

    self: str
    events: str
    questions: str
    answers: str
    web: str


class FixView(View):
    """The result of a fix to a bug hunt."""

    number: int = Field(description="1 is the student's first hunt in this challenge")
    lines: int | None = Field(description="logical lines that differ from what was handed out; null: it cannot be read")
    lines_max: int = Field(description="more than this is a rewrite")
    is_solved: bool
    message: str = Field(description="one sentence to the student; empty until it is graded")


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
    kind: SubmissionKind
    attempt: int = Field(description="counted for each kind")
    hunt: FixView | None = Field(description="for what was sent to a bug hunt")
    student: str
    assignment: str | None = Field(description="course/assignment; without one it is practice")
    assignment_title: str | None
    time_zone: str | None = Field(description="of the assignment's course; null for practice")
    is_late: bool
    late_percent: float = Field(description="what being late takes off its points")
    points: float | None = Field(description="what it earns in the assignment, less what being late costs")
    verdict: Verdict | None
    score: float | None
    max_score: float | None
    is_held: bool = Field(description="nothing of what came of it is told until the grades are released")
    waiting: str | None
    links: Links


class QueueView(View):
    """The queue position and expected times. Seconds are from the start of a grading to its report."""

    position: int | None = Field(description="1 is next; None once a judge has it, or while it waits apart")
    estimated_start_at: datetime | None
    grading_p50_s: float | None
    grading_p95_s: float | None


class SubmissionView(SubmissionItem):
    """A submission with its report."""

    queue: QueueView | None = Field(description="until it is graded; None in the answer to the upload")
    feedback: Feedback = Field(description="how much of the report this view shows")
    withheld: str | None = Field(description="why a build gets a verdict without an explanation; null: it gets one")
    report: Report | None
    assignment_score: AssignmentScore | None = Field(description="the student's in the assignment; null for practice")
    gpu: GpuView | None = Field(description="the GPU stage of what has passed, where the challenge has one")
    receipt: str | None = Field(description="signed proof of the verdict: `engine verify-receipt` checks it")


class SubmissionPage(View):
    """A page of submissions."""

    items: list[SubmissionItem]
    next_cursor: str | None


def links_of(submission_id: str) -> Links:
    """Returns the paths of a submission."""
    base = f"/api/v1/submissions/{submission_id}"
    return Links(
        self=base,
        events=f"{base}/events",
        questions=f"{base}/questions",
        answers=f"{base}/answers",
        web=f"/submissions/{submission_id}",
    )


def item_of(submission: Submission, *, as_staff: bool) -> SubmissionItem:
    """Returns a submission as a list shows it, to its student or to staff. What ITEM names must be loaded."""
    held = not as_staff and is_held(submission)
    assignment, terms = submission.assignment, terms_for(submission)
    state = _state(submission, as_staff=as_staff)
    graded_at = submission.graded_at if as_staff else told_graded_at(submission)
    return SubmissionItem.of(
        submission,
        state=state,
        started_at=submission.job.started_at,
        graded_at=graded_at if state is State.GRADED else None,
        hunt=_fix_view(submission, submission.fix) if submission.fix else None,
        student=submission.user.name,
        assignment=f"{assignment.course.slug}/{assignment.slug}" if assignment else None,
        assignment_title=assignment.title if assignment else None,
        time_zone=assignment.course.time_zone if assignment else None,
        is_late=days_late(terms, submission.created_at) > 0,
        late_percent=late_at(terms, submission.created_at).percent if terms else 0.0,
        points=None if held else points_of(submission),
        verdict=None if held else submission.verdict,
        score=None if held else submission.score,
        max_score=None if held else submission.max_score,
        is_held=held,
        waiting=_trouble(submission),
        links=links_of(submission.id),
    )


def queue_view(positions: Positions, submission: Submission, *, as_staff: bool) -> QueueView | None:
    """Returns the queue position and expected times; None for a submission in a terminal state."""
    if _state(submission, as_staff=as_staff).is_final:
        return None
    found, pace = positions.position(submission), positions.pace(submission.challenge)
    return QueueView(
        position=found.position if found else None,
        estimated_start_at=found.estimated_start_at if found else None,
        grading_p50_s=pace.p50_s,
        grading_p95_s=pace.p95_s,
    )


def view_of(
    submission: Submission, *, as_staff: bool, queue: QueueView | None = None, score: AssignmentScore | None = None
) -> SubmissionView:
    """Returns a submission with its report; a student gets the student's view. What ITEM names and the report must be
    loaded.
    """
    moment = now()
    told = TOLD_ALL if as_staff else told_of(submission, moment)
    stored = None if told.is_held else submission.report
    report = Report.model_validate_json(stored.body) if stored else None
    receipt = stored.receipt if stored and told.withheld is None else None
    if score is not None and submission.assignment is not None and not as_staff:
        score = told_score(submission.assignment, score)
    if report is not None and not as_staff:
        report = for_student(report, submission, moment)
    return SubmissionView(
        **dict(item_of(submission, as_staff=as_staff)),
        feedback=told.feedback,
        withheld=told.withheld,
        report=report,
        queue=queue,
        assignment_score=score,
        gpu=None if told.is_held else gpu_view(submission.gpu_stage, told.feedback),
        receipt=receipt,
    )


def _state(submission: Submission, *, as_staff: bool) -> State:
    return submission.state if as_staff else told_state(submission, now())


def _fix_view(submission: Submission, fix: Fix) -> FixView:
    is_small = fix.lines is not None and fix.lines <= fix.hunt.lines_max
    return FixView(
        number=fix.hunt.number,
        lines=fix.lines,
        lines_max=fix.hunt.lines_max,
        is_solved=submission.verdict is Verdict.PASSED and is_small,
        message=_told_of(submission.verdict, fix, is_small=is_small),
    )


def _told_of(verdict: Verdict | None, fix: Fix, *, is_small: bool) -> str:
    if verdict is None:
        return ""
    if verdict is not Verdict.PASSED:
        return "You have not changed the file yet." if fix.lines == 0 else "The bug is still at large."
    lines = "one line" if fix.lines == 1 else f"{fix.lines or 'far more'} lines"
    if is_small:
        return f"You found it and fixed it by changing {lines}."
    return (
        f"Right, but a rewrite: {lines} differ from the original file, and a small change is at most "
        f"{fix.hunt.lines_max}. Start from that file again and change only what is wrong."
    )


def _trouble(submission: Submission) -> str | None:
    if not submission.job.fault:
        return None
    if submission.state is State.CANCELLED:
        return GIVEN_UP
    return None if submission.state.is_final else WAITING
