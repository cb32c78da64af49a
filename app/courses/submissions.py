"""The submissions of a course's students: `GET /courses/{course}/submissions`."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import select

from app.courses.access import sent_by_students_of, staffed_course
from app.database import Database
from app.identifiers import is_id
from app.models import Assignment, Submission, User
from app.problems import Unprocessable
from app.services import SignedIn, WithServices
from app.submissions.schemas import ITEM, SubmissionPage, item_of
from app.submissions.service import PAGE_MAX, Page
from grader.report import Verdict

Short = Annotated[str | None, Query(max_length=100)]
router = APIRouter(prefix="/courses/{course}", tags=["courses"])


@dataclass(frozen=True)
class CourseFilter:
    """Which of a course's submissions to list. `cursor` is what the page before gave."""

    challenge: str | None = None
    student: str | None = None
    assignment: str | None = None
    verdict: Verdict | None = None
    cursor: str | None = None
    limit: int = 50


@router.get("/submissions")
def list_course_submissions(
    course: str,
    user: SignedIn,
    services: WithServices,
    challenge: Short = None,
    student: Short = None,
    assignment: Short = None,
    verdict: Verdict | None = None,
    cursor: Short = None,
    limit: Annotated[int, Query(ge=1, le=PAGE_MAX)] = 50,
) -> SubmissionPage:
    """A page of what the course's students sent, newest first. Staff only."""
    wanted = CourseFilter(challenge, student, assignment, verdict, cursor, limit)
    page = course_page(services.database, user, course, wanted)
    return SubmissionPage(items=[item_of(row) for row in page.items], next_cursor=page.next_cursor)


def course_page(database: Database, user: User, slug: str, wanted: CourseFilter) -> Page:
    """Newest first. Raises NotFound, Forbidden, and Unprocessable when the cursor is not ours."""
    if wanted.cursor is not None and not is_id(wanted.cursor):
        raise Unprocessable("The cursor is not one that this server gave. Start again without it.")
    with database.read() as session:
        course = staffed_course(session, user, slug)
        query = select(Submission).options(*ITEM).where(sent_by_students_of(course))
        if wanted.challenge is not None:
            query = query.where(Submission.challenge == wanted.challenge)
        if wanted.student is not None:
            query = query.where(Submission.user.has(User.name == wanted.student))
        if wanted.assignment is not None:
            query = query.where(Submission.assignment.has(Assignment.slug == wanted.assignment))
        if wanted.verdict is not None:
            query = query.where(Submission.verdict == wanted.verdict)
        if wanted.cursor is not None:
            query = query.where(Submission.id < wanted.cursor)
        rows = list(session.scalars(query.order_by(Submission.id.desc()).limit(wanted.limit + 1)))
    items = rows[: wanted.limit]
    return Page(items, items[-1].id if len(rows) > wanted.limit else None)
