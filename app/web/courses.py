"""A course as its staff see it: what is misunderstood, and every submission."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response

from app.assignments.schemas import view_of
from app.assignments.service import list_all
from app.courses import service
from app.courses.submissions import CourseFilter, course_page
from app.models import now
from app.services import WithServices
from app.submissions.schemas import item_of
from app.web.rendering import render
from app.web.visitors import SignedInVisitor
from grader.report import Verdict

ROWS: Final = 50
Short = Annotated[str, Query(max_length=100)]

router = APIRouter()


@router.get("/courses/{course}")
def show_course(
    course: str,
    visitor: SignedInVisitor,
    services: WithServices,
    challenge: Short = "",
    student: Short = "",
    verdict: Verdict | Literal[""] = "",
    before: Short = "",
) -> Response:
    """Staff only. What is chosen stands in the address, so that it can be sent to a colleague."""
    wanted = CourseFilter(
        challenge or None, student.strip() or None, verdict=verdict or None, cursor=before or None, limit=ROWS
    )
    page = course_page(services.database, visitor.user, course, wanted)
    chosen = {"challenge": challenge, "student": student.strip(), "verdict": verdict}
    return render(
        "course.html",
        visitor=visitor,
        title=next((item.title for item in visitor.staffed if item.slug == course), course),
        assignments=[view_of(row, now()) for row in list_all(services.database, visitor.user, course)],
        analytics=service.analytics(services.database, visitor.user, course),
        items=[item_of(row) for row in page.items],
        older=page.next_cursor,
        before=before,
        chosen={name: value for name, value in chosen.items() if value},
        titles={entry.slug: entry.challenge.manifest.title for entry in services.catalogue},
        verdicts=list(Verdict),
    )
