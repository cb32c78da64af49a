"""The page of a leaderboard, for students and for staff, and its forms."""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
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
from app.services import Services, WithServices
from app.web.charts import interval_bar
from app.web.field_errors import errors_of
from app.web.rendering import render, see_other
from app.web.staff.frame import render_assignment
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of

ROWS: Final = 100
SHORTEST_SCALE: Final = 1.5  # of the bars, so that the reference's line stands within
FIELDS: Final = {"pseudonym": ""}

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}/leaderboard")


@dataclass(frozen=True)
class _Refused:
    """A pseudonym that was refused, with the reason."""

    typed: str
    errors: dict[str, str] = field(default_factory=dict)
    above: list[str] = field(default_factory=list)
    status: int = HTTPStatus.OK


_NOTHING: Final = _Refused("")


@router.get("")
def show_board(
    course: str,
    assignment: str,
    visitor: SignedInVisitor,
    services: WithServices,
    order: Order = Order.TIME,
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> Response:
    """Shows the leaderboard, ranked by time or by memory."""
    return _page(services, visitor, course, assignment, order, offset)


@router.post("")
def change_board(
    course: str, assignment: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm
) -> Response:
    """Joins the leaderboard or changes the pseudonym, leaves it, or does for staff what they do about an entry."""
    database, user, entry = services.database, visitor.user, text_of(form, "entry")
    match text_of(form, "do"):
        case "leave":
            service.leave(database, user, course, assignment)
        case "remove":
            service.remove(database, user, course, assignment, entry)
        case "let-back":
            service.let_back(database, user, course, assignment, entry)
        case _:
            typed = text_of(form, "pseudonym").strip()
            try:
                limit_joinings(services.broker, user)
                chosen = Joining(pseudonym=typed or None).pseudonym
                service.join(database, services.catalogue, user, course, assignment, chosen)
            except (ValidationError, Unprocessable, Conflict) as error:
                found = errors_of(error, FIELDS)
                refused = _Refused(typed, found.by_field, found.above, found.status)
                return _page(services, visitor, course, assignment, Order.TIME, 0, refused)
    return see_other(f"/courses/{course}/assignments/{assignment}/leaderboard")


def _page(
    services: Services,
    visitor: Visitor,
    course: str,
    assignment: str,
    order: Order,
    offset: int,
    refused: _Refused = _NOTHING,
) -> Response:
    found = board.read(services.database, services.catalogue, visitor.user, course, assignment, order)
    shown = view_of(assignments.read(services.database, visitor.user, course, assignment), now())
    membership = read_course(services.database, visitor.user, course)
    offered = found.mine.pseudonym if found.mine else found.offered or ""
    context: dict[str, Any] = {
        "board": found,
        "rows": found.rows[offset : offset + ROWS],
        "offset": offset,
        "rows_max": ROWS,
        "status_code": refused.status,
        "errors": refused.errors,
        "above": refused.above,
        "fields": {"pseudonym": refused.typed or offered},
        "bar": interval_bar,
        "scale": _scale(found),
        "my_row": next((row for row in found.rows if row.is_mine), None),
    }
    if found.is_staff:
        return render_assignment("leaderboard.html", services, visitor, shown, "leaderboard", **context)
    return render("leaderboard.html", visitor=visitor, here=course, course=membership, assignment=shown, **context)


def _scale(found: Board) -> float:
    """How far the bars reach: to the end of the longest interval."""
    shown = [interval.high for row in found.rows for interval in (row.time, row.memory) if interval is not None]
    return max(shown, default=0.0) if max(shown, default=0.0) > SHORTEST_SCALE else SHORTEST_SCALE
