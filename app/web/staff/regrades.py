"""Grading an assignment again: ask, look at what would change, then apply or drop."""

from http import HTTPStatus
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response

from app.assignments import service as assignments
from app.assignments.schemas import view_of
from app.models import now
from app.problems import Problem
from app.regrades import service
from app.services import Services, WithServices
from app.web.rendering import see_other
from app.web.staff.frame import Short, render_assignment
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of

ROWS: Final = 50

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}/regrades")


@router.get("")
def show_regrades(course: str, assignment: str, visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows the regrades of an assignment."""
    return _list_page(services, visitor, course, assignment)


@router.post("")
def ask(course: str, assignment: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Asks for a regrade of all graded submissions, or of the one that the form names. Nothing changes yet."""
    one = text_of(form, "submission")
    wanted = [one] if one else None
    try:
        view, _ = service.ask(services.database, services.catalogue, visitor.user, course, assignment, wanted)
    except Problem as problem:
        return _list_page(services, visitor, course, assignment, problem)
    return see_other(f"/courses/{course}/assignments/{assignment}/regrades/{view.id}")


@router.get("/{regrade}")
def show_regrade(
    course: str, assignment: str, regrade: str, visitor: SignedInVisitor, services: WithServices, after: Short = ""
) -> Response:
    """Shows what a regrade would change."""
    return _preview_page(services, visitor, course, assignment, regrade, after=after)


@router.post("/{regrade}")
def end(
    course: str, assignment: str, regrade: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm
) -> Response:
    """Applies the regrade or discards it."""
    act = service.apply if text_of(form, "do") == "apply" else service.drop
    try:
        act(services.database, visitor.user, course, assignment, regrade)
    except Problem as problem:
        return _preview_page(services, visitor, course, assignment, regrade, problem=problem)
    return see_other(f"/courses/{course}/assignments/{assignment}/regrades/{regrade}")


def _list_page(
    services: Services, visitor: Visitor, course: str, assignment: str, problem: Problem | None = None
) -> Response:
    items = service.list_all(services.database, visitor.user, course, assignment)
    found = view_of(assignments.read(services.database, visitor.user, course, assignment), now())
    return render_assignment(
        "regrades.html",
        services,
        visitor,
        found,
        "regrades",
        status_code=problem.status if problem else HTTPStatus.OK,
        items=items,
        error=problem.detail if problem else None,
    )


def _preview_page(
    services: Services,
    visitor: Visitor,
    course: str,
    assignment: str,
    regrade: str,
    *,
    after: str = "",
    problem: Problem | None = None,
) -> Response:
    found = service.preview(services.database, visitor.user, course, assignment, regrade, after or None, ROWS)
    shown = view_of(assignments.read(services.database, visitor.user, course, assignment), now())
    return render_assignment(
        "regrade.html",
        services,
        visitor,
        shown,
        "regrades",
        status_code=problem.status if problem else HTTPStatus.OK,
        found=found,
        after=after,
        error=problem.detail if problem else None,
    )
