"""A course for its staff: this week, its assignments, every submission, what can be taken elsewhere, the audit log."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response

from app import audit
from app.assignments.schedule import Phase
from app.assignments.schemas import AssignmentView
from app.assignments.service import list_all
from app.courses import service
from app.courses.schemas import AuditItem
from app.courses.submissions import CourseFilter, SubmissionOrder, course_page
from app.models import State, now
from app.standing.service import course_standing
from app.submissions.schemas import item_of
from app.web.log_words import ABOUT_ASSIGNMENTS, ABOUT_PEOPLE, DONE
from app.web.rendering import render
from app.web.staff.frame import CourseFrame, InCourse, Short, chosen_in
from app.week.service import course_week
from grader.report import Verdict

ROWS: Final = 50
ORDERS: Final = {
    SubmissionOrder.NEWEST: "newest first",
    SubmissionOrder.OLDEST: "oldest first",
    SubmissionOrder.SCORE: "score, lowest first",
    SubmissionOrder.STUDENT: "student",
}

router = APIRouter(prefix="/courses/{course}")


@router.get("")
def show_course(here: InCourse, search: Short = "") -> Response:
    """Shows what needs somebody this week, the course's assignments and their figures; to students, their own
    standing.
    """
    if any(here.course == each.slug for each in here.visitor.studied):
        return _standing_page(here)
    found = course_week(here.database, here.services.catalogue, here.services.broker, here.user, here.course, search)
    open_now = {each.assignment.slug: each for each in found.week.assignments}
    return here.render(
        "course.html",
        "assignments",
        week=found.week,
        search=search.strip(),
        moment=now(),
        open_now=open_now,
        assignments=_first(list(open_now), found.assignments),
        figures={item.assignment: item for item in found.figures.assignments},
        practice=found.figures.challenges,
    )


@router.get("/submissions")
def show_submissions(
    here: InCourse,
    search: Short = "",
    assignment: Short = "",
    challenge: Short = "",
    verdict: Verdict | Literal[""] = "",
    state: State | Literal[""] = "",
    order: SubmissionOrder = SubmissionOrder.NEWEST,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """Shows the course's submissions. The filter is in the address, so that it can be sent to a colleague."""
    wanted = CourseFilter(
        challenge=challenge or None,
        assignment=assignment or None,
        verdict=verdict or None,
        state=state or None,
        search=search.strip() or None,
        order=order,
        offset=offset,
        limit=ROWS,
    )
    page = course_page(*here.in_course, wanted)
    return here.render(
        "submissions.html",
        "submissions",
        items=[item_of(row, as_staff=True) for row in page.items],
        full_names=here.full_names(row.user.name for row in page.items),
        total=page.total,
        offset=offset,
        rows_max=ROWS,
        chosen=chosen_in(wanted),
        assignments=list_all(*here.in_course),
        verdicts=list(Verdict),
        states=list(State),
        orders=ORDERS,
        order=order,
    )


@router.get("/exports")
def show_exports(here: InCourse) -> Response:
    """Shows links to the exports; each is made on request."""
    assignments = list_all(*here.in_course)
    service.refuse_all_but_managers(*here.in_course)
    return here.render("exports.html", "exports", assignments=assignments)


@router.get("/audit")
def show_audit(here: InCourse, before: Short = "") -> Response:
    """Shows the audit log."""
    rows, older = audit.page(*here.in_course, before or None, ROWS)
    items = [AuditItem.model_validate(row) for row in rows]
    return here.render(
        "audit.html", "audit",
        items=items, full_names=here.full_names(name for each in items for name in (each.actor, each.subject)),
        titles={each.slug: each.title for each in list_all(here.database, here.user, here.course)},
        done=DONE, about_people=ABOUT_PEOPLE, about_assignments=ABOUT_ASSIGNMENTS, before=before, older=older,
    )  # fmt: skip


def _standing_page(here: CourseFrame) -> Response:
    """The course for its student: what is due, attempts left, points so far, what was sent last."""
    found = course_standing(here.database, here.services.catalogue, here.user, here.course)
    return render(
        "standing.html",
        visitor=here.visitor,
        here=here.course,
        course=found,
        is_open=[each for each in found.assignments if each.phase is Phase.OPEN],
        is_closed=[each for each in found.assignments if each.phase is Phase.CLOSED],
        moment=now(),
    )


def _first(slugs: list[str], assignments: Sequence[AssignmentView]) -> list[AssignmentView]:
    """These first, in their order; then the others in theirs."""
    return sorted(assignments, key=lambda each: slugs.index(each.slug) if each.slug in slugs else len(slugs))
