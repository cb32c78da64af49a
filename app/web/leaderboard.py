"""The page of a leaderboard, for students and for staff, and its forms."""

from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from app.assignments import service as assignments
from app.assignments.schemas import view_of
from app.courses.service import read as read_course
from app.leaderboard import board, service
from app.leaderboard.schemas import Board, Joining, Order
from app.models import now
from app.problems import Conflict, Unprocessable
from app.rate import limit_joinings
from app.web.charts import interval_bar
from app.web.field_errors import NO_ERRORS, FieldErrors, errors_of
from app.web.rendering import render, see_other
from app.web.staff.frame import AssignmentFrame, InAssignment, Offset
from app.web.visitors import PostedForm, text_of

ROWS: Final = 100
SHORTEST_SCALE: Final = 1.5  # of the bars, so that the reference's line stands within
FIELDS: Final = {"pseudonym": ""}

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}/leaderboard")


@router.get("")
def show_board(here: InAssignment, order: Order = Order.TIME, offset: Offset = 0) -> Response:
    """Shows the leaderboard, ranked by time or by memory."""
    return _page(here, order, offset)


@router.post("")
def change_board(here: InAssignment, form: PostedForm) -> Response:
    """Joins the leaderboard or changes the pseudonym, leaves it, or does for staff what they do about an entry."""
    entry = text_of(form, "entry")
    match text_of(form, "do"):
        case "leave":
            service.leave(*here.in_assignment)
        case "remove":
            service.remove(*here.in_assignment, entry)
        case "let-back":
            service.let_back(*here.in_assignment, entry)
        case _:
            typed = text_of(form, "pseudonym").strip()
            try:
                limit_joinings(here.services.broker, here.user)
                chosen = Joining(pseudonym=typed or None).pseudonym
                service.join(here.database, here.services.catalogue, here.user, here.course, here.assignment, chosen)
            except (ValidationError, Unprocessable, Conflict) as error:
                return _page(here, wrong=errors_of(error, FIELDS), typed=typed)
    return see_other(f"/courses/{here.course}/assignments/{here.assignment}/leaderboard")


def _page(
    here: AssignmentFrame,
    order: Order = Order.TIME,
    offset: int = 0,
    *,
    wrong: FieldErrors = NO_ERRORS,
    typed: str = "",
) -> Response:
    found = board.read(here.database, here.services.catalogue, here.user, here.course, here.assignment, order)
    shown = view_of(assignments.read(*here.in_assignment), now())
    offered = found.mine.pseudonym if found.mine else found.offered or ""
    context: dict[str, Any] = {
        "assignment": shown,
        "board": found,
        "rows": found.rows[offset : offset + ROWS],
        "offset": offset,
        "rows_max": ROWS,
        **wrong.shown,
        "fields": {"pseudonym": typed or offered},
        "bar": interval_bar,
        "scale": _scale(found),
        "my_row": next((row for row in found.rows if row.is_mine), None),
    }
    if found.is_staff:
        return here.render("leaderboard.html", "leaderboard", **context)
    course = read_course(*here.in_course)
    context["is_archived"] = course.is_archived
    return render("leaderboard.html", visitor=here.visitor, here=here.course, course=course, **context)


def _scale(found: Board) -> float:
    """How far the bars reach: to the end of the longest interval."""
    shown = [interval.high for row in found.rows for interval in (row.time, row.memory) if interval is not None]
    return max([SHORTEST_SCALE, *shown])
