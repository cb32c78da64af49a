"""The requests of a course, for its staff: a list, and an answer, which closes one."""

from sqlalchemy.orm import Session, contains_eager

from app import audit
from app.courses.access import CourseAccess, staff_access
from app.database import Database
from app.identifiers import is_id
from app.models import Course, Feedback, RegradeRequest, User, now
from app.problems import Conflict, NotFound
from app.regrade_requests.schemas import Answer, CourseRequestPage, CourseRequestView
from app.regrade_requests.views import Requests, course_request, requests_with_names, with_submissions
from app.request_values import check_cursor
from app.rows import count, page_of, row_with
from app.submissions.feedback import is_held, told_of
from app.submissions.schemas import ITEM


def page(
    database: Database, user: User, course: str, cursor: str | None, limit: int, *, closed: bool
) -> CourseRequestPage:
    """Returns the open requests, the oldest first; or those that are closed, the newest first. Raises NotFound,
    Forbidden, Unprocessable.
    """
    check_cursor(cursor)
    with database.read() as session:
        access = staff_access(session, user, course)
        rows = session.execute(_listed(access.course, cursor, closed=closed).limit(limit + 1)).all()
        items, following = page_of([course_request(*row) for row in rows], limit)
        return CourseRequestPage(items=items, next_cursor=following, open=count_open(session, access.course))


def read(database: Database, user: User, course: str, request_id: str) -> CourseRequestView:
    """Returns one request. Raises NotFound, Forbidden."""
    with database.read() as session:
        return _view(session, staff_access(session, user, course), request_id)


def answer(database: Database, user: User, course: str, request_id: str, given: Answer) -> CourseRequestView:
    """Answers a request, and closes it. Raises NotFound, Forbidden, and Conflict when it is closed."""
    with database.write() as session:
        access = staff_access(session, user, course)
        row = row_with(session, RegradeRequest, request_id, with_for_update=True)
        if row is None or row.course_id != access.course.id:
            raise _unknown()
        if row.outcome is not None:
            raise Conflict("This request is closed already: its student withdrew it, or somebody else answered it.")
        row.outcome, row.answer, row.answered_by_id, row.closed_at = given.outcome, given.answer, user.id, now()
        session.flush()
        audit.note(
            session, user, "request.answer", row.submission_id, access.course,
            student=row.submission.user.name, request=row.id, outcome=given.outcome, text=given.answer,
        )  # fmt: skip
        return _view(session, access, row.id)


def count_open(session: Session, course: Course) -> int:
    """Returns how many requests the course's staff have to answer."""
    return count(session, RegradeRequest.course_id == course.id, RegradeRequest.outcome.is_(None))


def _listed(course: Course, cursor: str | None, *, closed: bool) -> Requests:
    query = with_submissions(requests_with_names()).where(RegradeRequest.course_id == course.id)
    if closed:
        query = query.where(RegradeRequest.outcome.is_not(None)).order_by(RegradeRequest.id.desc())
        return query if cursor is None else query.where(RegradeRequest.id < cursor)
    query = query.where(RegradeRequest.outcome.is_(None)).order_by(RegradeRequest.id)
    return query if cursor is None else query.where(RegradeRequest.id > cursor)


def _view(session: Session, access: CourseAccess, request_id: str) -> CourseRequestView:
    is_it = (RegradeRequest.id == request_id, RegradeRequest.course_id == access.course.id)
    told_by = contains_eager(RegradeRequest.submission).options(*ITEM)
    query = with_submissions(requests_with_names()).options(told_by).where(*is_it)
    found = session.execute(query).unique().first() if is_id(request_id) else None
    if found is None:
        raise _unknown()
    told = told_of(found[0].submission, now())
    return CourseRequestView(
        **dict(course_request(*found)),
        is_held=is_held(found[0].submission),
        is_told_all=told.feedback is Feedback.FULL,
    )


def _unknown() -> NotFound:
    return NotFound("There is no such regrade request in this course. Its list has them all.")
