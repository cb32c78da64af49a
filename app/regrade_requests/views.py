"""Requests as they are shown, to their student and to staff."""

from pydantic import BaseModel
from sqlalchemy import Select, select
from sqlalchemy.orm import aliased, contains_eager, joinedload

from app.models import Enrollment, RegradeRequest, StoredReport, Submission
from app.regrade_requests.schemas import CourseRequest, RequestView

# With the full names of who asked and of who answered.
Requests = Select[RegradeRequest, str | None, str | None]


class _Headline(BaseModel):
    """What is read of a report where a list shows one sentence of it."""

    summary: str


def requests_with_names() -> Requests:
    """Selects requests with their names."""
    asking, answering = aliased(Enrollment), aliased(Enrollment)
    course = RegradeRequest.course_id
    return (
        select(RegradeRequest, asking.full_name, answering.full_name)
        .join(RegradeRequest.submission)
        .outerjoin(asking, (asking.user_id == Submission.user_id) & (asking.course_id == course))
        .outerjoin(answering, (answering.user_id == RegradeRequest.answered_by_id) & (answering.course_id == course))
        .options(contains_eager(RegradeRequest.submission), joinedload(RegradeRequest.answered_by))
    )


def with_submissions(query: Requests) -> Requests:
    """Loads with `requests_with_names` what staff see of the submissions."""
    submission = contains_eager(RegradeRequest.submission)
    return query.options(
        submission.joinedload(Submission.user),
        submission.joinedload(Submission.assignment),
        submission.joinedload(Submission.report),
    )


def request_view(row: RegradeRequest, answering: str | None) -> RequestView:
    """Returns a request as its student sees it."""
    return RequestView.of(
        row,
        submission=row.submission_id,
        answered_by=row.answered_by.name if row.answered_by else None,
        answered_by_full_name=answering,
    )


def course_request(row: RegradeRequest, asking: str | None, answering: str | None) -> CourseRequest:
    """Returns a request as staff see it."""
    submission = row.submission
    assert submission.assignment is not None, "only what was sent to an assignment can be asked about"
    return CourseRequest.of(
        submission,
        **dict(request_view(row, answering)),
        student=submission.user.name,
        student_full_name=asking,
        assignment=submission.assignment.slug,
        assignment_title=submission.assignment.title,
        summary=_summary(submission.report),
    )


def _summary(report: StoredReport | None) -> str | None:
    return _Headline.model_validate_json(report.body).summary if report else None
