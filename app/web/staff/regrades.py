"""Grading an assignment again: ask, look at what would change, then apply or drop."""

from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response

from app.problems import Problem
from app.regrades import service
from app.web.rendering import see_other
from app.web.staff.frame import AssignmentFrame, InAssignment, Short
from app.web.visitors import PostedForm, text_of

ROWS: Final = 50

router = APIRouter(prefix="/courses/{course}/assignments/{assignment}/regrades")


@router.get("")
def show_regrades(here: InAssignment) -> Response:
    """Shows the regrades of an assignment."""
    return _list_page(here)


@router.post("")
def ask(here: InAssignment, form: PostedForm) -> Response:
    """Asks for a regrade of all graded submissions, or of the one that the form names. Nothing changes yet."""
    one = text_of(form, "submission")
    wanted = [one] if one else None
    try:
        view, _ = service.ask(here.database, here.services.catalogue, here.user, here.course, here.assignment, wanted)
    except Problem as problem:
        return _list_page(here, problem)
    return see_other(f"/courses/{here.course}/assignments/{here.assignment}/regrades/{view.id}")


@router.get("/{regrade}")
def show_regrade(regrade: str, here: InAssignment, after: Short = "") -> Response:
    """Shows what a regrade would change."""
    return _preview_page(here, regrade, after=after)


@router.post("/{regrade}")
def end(regrade: str, here: InAssignment, form: PostedForm) -> Response:
    """Applies the regrade or discards it."""
    act = service.apply if text_of(form, "do") == "apply" else service.drop
    try:
        act(*here.in_assignment, regrade)
    except Problem as problem:
        return _preview_page(here, regrade, problem=problem)
    return see_other(f"/courses/{here.course}/assignments/{here.assignment}/regrades/{regrade}")


def _list_page(here: AssignmentFrame, problem: Problem | None = None) -> Response:
    items = service.list_all(*here.in_assignment)
    return here.render(
        "regrades.html",
        "regrades",
        problem=problem,
        items=items,
        full_names=here.full_names(each.asked_by for each in items),
    )


def _preview_page(here: AssignmentFrame, regrade: str, *, after: str = "", problem: Problem | None = None) -> Response:
    found = service.preview(*here.in_assignment, regrade, after or None, ROWS)
    return here.render(
        "regrade.html",
        "regrades",
        problem=problem,
        found=found,
        full_names=here.full_names([found.asked_by, *(each.student for each in found.changes)]),
        after=after,
    )
