"""The submissions of a course's students: `GET /courses/{course}/submissions`."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from sqlalchemy import ColumnElement, Select, and_, or_, select

from app.courses.access import sent_by_students_of, staffed_course
from app.database import Database
from app.models import Assignment, Course, Enrollment, State, Submission, User
from app.problems import Unprocessable
from app.request_values import Short, check_cursor
from app.rows import count, page_of
from app.services import SignedIn, WithServices
from app.submissions.schemas import ITEM, SubmissionPage, item_of
from app.submissions.service import PAGE_MAX, Page
from grader.report import Verdict

router = APIRouter(prefix="/courses/{course}", tags=["courses"])


class SubmissionOrder(StrEnum):
    """How a course's submissions are sorted."""

    NEWEST = "newest"
    OLDEST = "oldest"
    SCORE = "score"
    STUDENT = "student"


@dataclass(frozen=True)
class CourseFilter:
    """Which of a course's submissions to list. `cursor` comes from the page before, and needs newest first."""

    challenge: Short = None
    student: Annotated[str | None, Query(max_length=100, description="the exact name")] = None
    assignment: Short = None
    verdict: Verdict | None = None
    cursor: Short = None
    limit: Annotated[int, Query(ge=1, le=PAGE_MAX)] = 50
    search: Annotated[str | None, Query(max_length=100, description="part of a name or a file's name")] = None
    state: State | None = None
    order: SubmissionOrder = SubmissionOrder.NEWEST
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0


@dataclass(frozen=True)
class CoursePage(Page):
    """A page of a course's submissions. `total` counts all that fit the filter."""

    total: int


class CourseSubmissionPage(SubmissionPage):
    """A page of a course's submissions. `total` counts all that fit the filter."""

    total: int


@router.get("/submissions")
def list_course_submissions(
    course: str, user: SignedIn, services: WithServices, wanted: Annotated[CourseFilter, Depends()]
) -> CourseSubmissionPage:
    """A page of the submissions of the course's students, newest first unless told otherwise. Staff only."""
    page = course_page(services.database, user, course, wanted)
    return CourseSubmissionPage(
        items=[item_of(row, as_staff=True) for row in page.items], next_cursor=page.next_cursor, total=page.total
    )


def course_page(database: Database, user: User, slug: str, wanted: CourseFilter) -> CoursePage:
    """Returns a page of a course's submissions. Raises NotFound, Forbidden, and Unprocessable when the cursor is not
    ours, or does not go with the order.
    """
    check_cursor(wanted.cursor)
    if wanted.cursor is not None and wanted.order is not SubmissionOrder.NEWEST:
        raise Unprocessable("A cursor only works with the newest first. Use offset with other orders.")
    with database.read() as session:
        course = staffed_course(session, user, slug)
        fitting = _fitting(course, wanted)
        total = count(session, fitting)
        shown = _shown(fitting, wanted).subquery()
        query = select(Submission).options(*ITEM).join(User, User.id == Submission.user_id)
        query = query.join(shown, shown.c.id == Submission.id).order_by(*_sorted(wanted.order))
        items, following = page_of(session.scalars(query).all(), wanted.limit)
    return CoursePage(items, following if wanted.order is SubmissionOrder.NEWEST else None, total)


def _shown(fitting: ColumnElement[bool], wanted: CourseFilter) -> Select[str]:
    """The ids of a page. What the rows hold is read afterwards, and not of all that come before the page."""
    query = select(Submission.id).where(fitting)
    if wanted.order is SubmissionOrder.STUDENT:
        query = query.join(User, User.id == Submission.user_id)
    if wanted.cursor is not None:
        query = query.where(Submission.id < wanted.cursor)
    return query.order_by(*_sorted(wanted.order)).offset(wanted.offset).limit(wanted.limit + 1)


def _fitting(course: Course, wanted: CourseFilter) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = [sent_by_students_of(course)]
    if wanted.challenge is not None:
        conditions.append(Submission.challenge == wanted.challenge)
    if wanted.student is not None:
        conditions.append(Submission.user.has(User.name == wanted.student))
    if wanted.assignment is not None:
        conditions.append(Submission.assignment.has(Assignment.slug == wanted.assignment))
    if wanted.verdict is not None:
        conditions.append(Submission.verdict == wanted.verdict)
    if wanted.state is not None:
        conditions.append(Submission.state == wanted.state)
    if wanted.search:
        called = or_(_has(User.name, wanted.search), _has(Enrollment.full_name, wanted.search))
        people = select(User.id).join(Enrollment).where(Enrollment.course_id == course.id, called)
        conditions.append(or_(Submission.user_id.in_(people), _has(Submission.filename, wanted.search)))
    return and_(*conditions)


def _has(column: Any, text: str) -> ColumnElement[bool]:
    """Whether the text stands somewhere in the column, in whatever case."""
    found: ColumnElement[bool] = column.icontains(text, autoescape=True)
    return found


def _sorted(order: SubmissionOrder) -> tuple[ColumnElement[Any], ...]:
    match order:
        case SubmissionOrder.NEWEST:
            return (Submission.id.desc(),)
        case SubmissionOrder.OLDEST:
            return (Submission.id.asc(),)
        case SubmissionOrder.SCORE:
            return Submission.score.is_(None), Submission.score.asc(), Submission.id.desc()
        case SubmissionOrder.STUDENT:
            return User.name.asc(), Submission.id.desc()
