"""The requests on one submission: its student makes and withdraws them. Nothing is told of them while grades are held:
an answer would give away what the report hides.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app import audit
from app.courses.access import archived_words
from app.database import Database
from app.models import Enrollment, RegradeRequest, RequestOutcome, Role, State, Submission, User, now
from app.problems import Conflict, Forbidden, NotFound, wrong
from app.regrade_requests.schemas import NewRequest, RequestList, RequestView
from app.regrade_requests.views import request_view, requests_with_names
from app.rows import hold, row_with
from app.submissions.access import Access, find
from app.submissions.feedback import for_student, is_held
from app.submissions.line_references import contents_of, file_with
from grader.report import Report

OPEN_MAX: Final = 3  # of one student in one course
REQUESTS_MAX: Final = 5  # on one submission, the closed ones too
NOT_YOURS: Final = "Only the student who submitted this can request a regrade."
HELD: Final = "Results of this assignment are held. You can request a regrade once they are released."


def list_all(database: Database, user: User, submission_id: str, *, as_student: bool = False) -> RequestList:
    """Returns the requests on a submission; none to its student while grades are held. `as_student` is for staff: no
    more than the student sees. Raises NotFound.
    """
    with database.read() as session:
        access = find(session, user, submission_id)
        if (access.is_owner or as_student) and is_held(access.submission):
            return RequestList(items=[], refusal=HELD if access.is_owner else NOT_YOURS)
        found = _views(session, access)
        return RequestList(items=found, refusal=_refusal(session, access, found) if access.is_owner else NOT_YOURS)


def refuse_all_but_owner(database: Database, user: User, submission_id: str) -> None:
    """Raises NotFound, and Forbidden to staff."""
    with database.read() as session:
        _own_submission(session, user, submission_id)


def ask(database: Database, user: User, submission_id: str, wanted: NewRequest) -> RequestView:
    """Makes a request. Raises NotFound, Forbidden to staff, Conflict where it is not possible now, and Unprocessable
    for tests and lines that the student's view of the submission does not have.
    """
    with database.write() as session:
        access = _own_submission(session, user, submission_id)
        submission = access.submission
        hold(session, User.id, user.id, key_share=True)  # one at a time
        refusal = _refusal(session, access, _views(session, access))
        if refusal is not None:
            raise Conflict(refusal)
        assert submission.course_id is not None, "an assignment has a course"
        files = contents_of(session, submission)
        row = RegradeRequest(
            submission_id=submission.id,
            course_id=submission.course_id,
            reason=wanted.reason,
            tests=_named_tests(submission, wanted.tests),
            file=file_with(submission, files, wanted.file, wanted.lines, "lines") if wanted.lines else None,
            lines=sorted(set(wanted.lines)),
        )
        session.add(row)
        session.flush()
        _note(session, user, access, "request.ask", row, reason=row.reason)
        return _one(session, access, row.id)


def withdraw(database: Database, user: User, submission_id: str, request_id: str) -> RequestView:
    """Closes an open request. Raises NotFound, Forbidden to staff, and Conflict when it is closed."""
    with database.write() as session:
        access = _own_submission(session, user, submission_id)
        if is_held(access.submission):
            raise Conflict(HELD)
        row = row_with(session, RegradeRequest, request_id, with_for_update=True)
        if row is None or row.submission_id != access.submission.id:
            raise NotFound("There is no such regrade request on this submission.")
        if row.outcome is not None:
            raise Conflict("This regrade request is closed already.")
        row.outcome, row.closed_at = RequestOutcome.WITHDRAWN, now()
        session.flush()
        _note(session, user, access, "request.withdraw", row)
        return _one(session, access, row.id)


def _own_submission(session: Session, user: User, submission_id: str) -> Access:
    access = find(session, user, submission_id)
    if not access.is_owner:
        raise Forbidden(NOT_YOURS)
    return access


def _refusal(session: Session, access: Access, before: Sequence[RequestView]) -> str | None:
    """Why its student cannot make a request now, after those that were made before."""
    submission = access.submission
    if is_held(submission):
        return HELD
    if submission.state is not State.GRADED or submission.report is None:
        return "This submission has not been graded. You can request a regrade once it has."
    if submission.assignment_id is None:
        return "This was practice, which doesn't count towards your grade. Requests are for submissions that do."
    if submission.course is not None and submission.course.is_archived:
        return archived_words(submission.course)
    enrollment = session.get(Enrollment, (submission.course_id, submission.user_id))
    if enrollment is None or enrollment.role is not Role.STUDENT:
        return "Only students of the course can request a regrade."
    if any(each.outcome is None for each in before):
        return "You have already requested a regrade of this submission. Your course's staff will answer it."
    if len(before) >= REQUESTS_MAX:
        return f"You have made {REQUESTS_MAX} requests about this submission. That is the limit: talk to your staff."
    if _count_open(session, submission) >= OPEN_MAX:
        return f"You have {OPEN_MAX} open regrade requests in this course. Wait for an answer, or withdraw one of them."
    return None


def _count_open(session: Session, submission: Submission) -> int:
    """How many requests of its student are open in its course."""
    query = (
        select(func.count())
        .select_from(RegradeRequest)
        .join(RegradeRequest.submission)
        .where(RegradeRequest.course_id == submission.course_id, RegradeRequest.outcome.is_(None))
        .where(Submission.user_id == submission.user_id)
    )
    return session.scalars(query).one()


def _named_tests(submission: Submission, names: tuple[str, ...]) -> list[dict[str, str]]:
    """The tests with their titles, of those that the student's view of the report has."""
    if not names:
        return []
    assert submission.report is not None, "it has been looked for"
    report = for_student(Report.model_validate_json(submission.report.body), submission, now())
    titles = {test.id: test.title for test in report.tests}
    unknown = next((name for name in names if name not in titles), None)
    if unknown is not None:
        raise wrong("tests", f"Your report has no test {unknown[:100]!r}. Choose tests that it shows.")
    return [{"id": name, "title": titles[name]} for name in dict.fromkeys(names)]


def _one(session: Session, access: Access, request_id: str) -> RequestView:
    return next(each for each in _views(session, access) if each.id == request_id)


def _views(session: Session, access: Access) -> list[RequestView]:
    query = requests_with_names().where(RegradeRequest.submission_id == access.submission.id)
    rows = session.execute(query.order_by(RegradeRequest.id))
    return [request_view(row, answering) for row, _, answering in rows]


def _note(session: Session, user: User, access: Access, action: str, row: RegradeRequest, **detail: str) -> None:
    submission = access.submission
    audit.note(
        session, user, action, submission.id, submission.course,
        student=submission.user.name, request=row.id, **detail,
    )  # fmt: skip
