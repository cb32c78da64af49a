"""Setting an assignment and changing one, with a preview of what students will read. Times are UTC, and say so."""

from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.datastructures import FormData

from app.assignments import service
from app.assignments.schemas import ChangedTerms, NewAssignment, Terms, terms_of, view_of
from app.courses.service import refuse_all_but_managers
from app.models import Feedback, Solutions, Unlock, now
from app.problems import Problem
from app.services import Services, WithServices
from app.web.rendering import see_other
from app.web.staff.frame import render_assignment, render_course
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of

MOMENTS: Final = ("opens_at", "due_at", "closes_at")
NUMBERS: Final = (
    "points",
    "late_percent_per_day",
    "attempts_max",
    "attempts_per_hour",
    "question_points",
    "unlock_attempts",
    "answers_max",
)
TICKS: Final = ("charges_rejected", "is_superseding")
WORDS: Final = ("title", "challenge", "feedback", "questions_unlock", "solutions")
CANNOT_BE_EMPTY: Final = ("points", "late_percent_per_day", "question_points")
CHOICES: Final = {"feedback": Feedback, "questions_unlock": Unlock, "solutions": Solutions}

router = APIRouter(prefix="/courses/{course}/assignments")


@router.get("/new")
def show_new(course: str, visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows the form for a new assignment."""
    refuse_all_but_managers(services.database, visitor.user, course)
    return _new_page(services, visitor, course, {})


@router.post("/new")
def create(course: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Previews the assignment, or creates it."""
    refuse_all_but_managers(services.database, visitor.user, course)
    fields = _fields(form)
    try:
        wanted = NewAssignment.model_validate({**_terms(form), "slug": text_of(form, "slug").strip()})
        if text_of(form, "do") != "save":
            return _new_page(services, visitor, course, fields, preview=wanted)
        made = service.create(services.database, services.catalogue, visitor.user, course, wanted)
    except (ValidationError, Problem) as error:
        return _new_page(services, visitor, course, fields, error=error)
    return see_other(f"/courses/{course}/assignments/{made.slug}")


@router.get("/{assignment}/edit")
def show_edit(
    course: str, assignment: str, visitor: SignedInVisitor, services: WithServices, saved: bool = False
) -> Response:
    """Shows the form for an assignment's terms."""
    refuse_all_but_managers(services.database, visitor.user, course)
    found = service.read(services.database, visitor.user, course, assignment)
    terms = terms_of(found)
    return _edit_page(services, visitor, course, assignment, _shown(terms), preview=terms, saved=saved)


@router.post("/{assignment}/edit")
def change(
    course: str, assignment: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm
) -> Response:
    """Previews the change, applies it, or removes an assignment that nobody has submitted to."""
    refuse_all_but_managers(services.database, visitor.user, course)
    if text_of(form, "do") == "remove":
        return _remove(services, visitor, course, assignment)
    fields = _fields(form)
    try:
        given = _terms(form)
        if text_of(form, "do") != "save":
            before = terms_of(service.read(services.database, visitor.user, course, assignment))
            preview = Terms.model_validate({**dict(before), **given})
            return _edit_page(services, visitor, course, assignment, fields, preview=preview)
        wanted = ChangedTerms.model_validate(given)
        service.change(services.database, services.catalogue, visitor.user, course, assignment, wanted)
    except (ValidationError, Problem) as error:
        return _edit_page(services, visitor, course, assignment, fields, error=error)
    return see_other(f"/courses/{course}/assignments/{assignment}/edit?saved=true")


def _remove(services: Services, visitor: Visitor, course: str, assignment: str) -> Response:
    try:
        service.remove(services.database, visitor.user, course, assignment)
    except Problem as problem:
        terms = terms_of(service.read(services.database, visitor.user, course, assignment))
        return _edit_page(services, visitor, course, assignment, _shown(terms), preview=terms, error=problem)
    return see_other(f"/courses/{course}")


def _fields(form: FormData) -> dict[str, str]:
    """What was typed, to be shown again as it was."""
    return {name: text_of(form, name).strip() for name in ("slug", *WORDS, *MOMENTS, *NUMBERS, *TICKS)}


def _terms(form: FormData) -> dict[str, Any]:
    """As the schema wants them: an empty limit is none, an empty number of points is 0."""
    terms: dict[str, Any] = {name: text_of(form, name).strip() for name in WORDS if text_of(form, name)}
    for name in NUMBERS:
        terms[name] = text_of(form, name).strip() or ("0" if name in CANNOT_BE_EMPTY else None)
    for name in MOMENTS:
        typed = text_of(form, name).strip()
        terms[name] = f"{typed}Z" if typed else None
    terms |= {name: text_of(form, name) == "yes" for name in TICKS}
    return terms


def _shown(terms: Terms) -> dict[str, str]:
    """Terms as the form's fields."""
    return {name: _as_text(value) for name, value in dict(terms).items()}


def _as_text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M")
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


def _new_page(
    services: Services,
    visitor: Visitor,
    course: str,
    fields: Mapping[str, str],
    *,
    preview: Terms | None = None,
    error: ValidationError | Problem | None = None,
) -> Response:
    context = _context(fields, preview, error)
    return render_course("new_assignment.html", services, visitor, course, "assignments", **context)


def _edit_page(
    services: Services,
    visitor: Visitor,
    course: str,
    assignment: str,
    fields: Mapping[str, str],
    *,
    preview: Terms | None = None,
    error: ValidationError | Problem | None = None,
    saved: bool = False,
) -> Response:
    found = view_of(service.read(services.database, visitor.user, course, assignment), now())
    context = _context(fields, preview, error)
    return render_assignment("edit_assignment.html", services, visitor, found, "settings", saved=saved, **context)


def _context(
    fields: Mapping[str, str], preview: Terms | None, error: ValidationError | Problem | None
) -> dict[str, Any]:
    status = error.status if isinstance(error, Problem) else HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK
    defaults = {"points": "100", "is_superseding": "yes"} if not fields else {}
    return {
        "status_code": status,
        "fields": {**dict.fromkeys(("slug", *WORDS, *MOMENTS, *NUMBERS, *TICKS), ""), **defaults, **fields},
        "preview": preview,
        "errors": _sentences(error) if error else [],
        "choices": {name: list(kind) for name, kind in CHOICES.items()},
    }


def _sentences(error: ValidationError | Problem) -> list[str]:
    if isinstance(error, Problem):
        return [error.detail]
    told = []
    for item in error.errors():
        where = ".".join(map(str, item["loc"])).replace("_", " ")
        told.append(f"{where}: {item['msg']}".strip(": ").removeprefix("Value error, "))
    return told
