"""Setting an assignment and changing one, with a preview of what students will read. Times are in the course's
zone.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.datastructures import FormData

from app.assignments import service
from app.assignments.schemas import ChangedTerms, NewAssignment, Terms, terms_of, view_of
from app.courses.creation import read as read_course
from app.gradebook import release
from app.models import Assignment, Feedback, GradesRelease, Solutions, Unlock, now
from app.problems import Problem
from app.time_zones import as_field
from app.web.field_errors import Wrong, errors_of, moment_in
from app.web.rendering import see_other
from app.web.staff.frame import AssignmentFrame, CourseFrame, InAssignment, InCourse
from app.web.visitors import PostedForm, text_of, texts_of

MOMENTS: Final = ("opens_at", "due_at", "closes_at")
NUMBERS: Final = (
    "points",
    "grace_minutes",
    "late_percent_per_day",
    "attempts_max",
    "attempts_per_hour",
    "question_points",
    "unlock_attempts",
    "answers_max",
)
TICKS: Final = ("is_bonus", "charges_rejected", "is_superseding", "has_leaderboard")
WORDS: Final = ("title", "challenge", "feedback", "questions_unlock", "solutions", "grades_release")
FIELDS: Final = ("slug", *WORDS, *MOMENTS, *NUMBERS, *TICKS)
CANNOT_BE_EMPTY: Final = ("points", "grace_minutes", "late_percent_per_day", "question_points")
CHOICES: Final = {
    "feedback": Feedback,
    "questions_unlock": Unlock,
    "solutions": Solutions,
    "grades_release": GradesRelease,
}

router = APIRouter(prefix="/courses/{course}/assignments")


@router.get("/new")
def show_new(here: InCourse) -> Response:
    """Shows the form for a new assignment."""
    read_course(*here.in_course)
    return _new_page(here, {})


@router.post("/new")
def create(here: InCourse, form: PostedForm) -> Response:
    """Previews the assignment, or creates it."""
    zone = read_course(*here.in_course).time_zone
    fields = texts_of(form, FIELDS)
    try:
        wanted = NewAssignment.model_validate({**_terms(form, fields, zone), "slug": fields["slug"]})
        if text_of(form, "do") != "save":
            return _new_page(here, fields, preview=wanted)
        made = service.create(here.database, here.services.catalogue, here.user, here.course, wanted)
    except (ValidationError, Problem) as error:
        return _new_page(here, fields, error=error)
    return see_other(f"/courses/{here.course}/assignments/{made.slug}")


@router.get("/{assignment}/edit")
def show_edit(here: InAssignment, saved: bool = False) -> Response:
    """Shows the form for an assignment's terms."""
    zone = read_course(*here.in_course).time_zone
    found = service.read(*here.in_assignment)
    return _edit_page(here, found, _shown(terms_of(found), zone), preview=terms_of(found), saved=saved)


@router.post("/{assignment}/edit")
def change(here: InAssignment, form: PostedForm) -> Response:
    """Previews the change, applies it, or removes an assignment that nobody has submitted to."""
    zone = read_course(*here.in_course).time_zone
    if text_of(form, "do") in ("release", "hold"):
        do = release.release if text_of(form, "do") == "release" else release.hold_again
        do(*here.in_assignment)
        return see_other(f"/courses/{here.course}/assignments/{here.assignment}/edit?saved=true")
    if text_of(form, "do") == "remove":
        return _remove(here, zone)
    fields = texts_of(form, FIELDS)
    found = service.read(*here.in_assignment)
    try:
        given = _terms(form, fields, zone, found)
        if text_of(form, "do") != "save":
            preview = Terms.model_validate({**dict(terms_of(found)), **given})
            return _edit_page(here, found, fields, preview=preview)
        wanted = ChangedTerms.model_validate(given)
        service.change(here.database, here.services.catalogue, here.user, here.course, here.assignment, wanted)
    except (ValidationError, Problem) as error:
        return _edit_page(here, found, fields, error=error)
    return see_other(f"/courses/{here.course}/assignments/{here.assignment}/edit?saved=true")


def _remove(here: AssignmentFrame, zone: str) -> Response:
    try:
        service.remove(*here.in_assignment)
    except Problem as problem:
        found = service.read(*here.in_assignment)
        terms = terms_of(found)
        return _edit_page(here, found, _shown(terms, zone), preview=terms, error=problem)
    return see_other(f"/courses/{here.course}")


def _terms(form: FormData, fields: Mapping[str, str], zone: str, before: Assignment | None = None) -> dict[str, Any]:
    """As the schema wants them: an empty limit is none, an empty number of points is 0."""
    return {
        **{name: fields[name] for name in WORDS if text_of(form, name)},
        **{name: fields[name] or ("0" if name in CANNOT_BE_EMPTY else None) for name in NUMBERS},
        **{name: moment_in(fields, name, zone, getattr(before, name, None)) for name in MOMENTS},
        **{name: fields[name] == "yes" for name in TICKS},
    }


def _shown(terms: Terms, zone: str) -> dict[str, str]:
    """Terms as the form's fields."""
    return {name: _as_text(value, zone) for name, value in dict(terms).items()}


def _as_text(value: Any, zone: str) -> str:
    if isinstance(value, datetime):
        return as_field(value, zone)
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


def _new_page(
    here: CourseFrame,
    fields: Mapping[str, str],
    *,
    preview: Terms | None = None,
    error: Wrong | None = None,
) -> Response:
    context = _context(fields, preview, error)
    return here.render("new_assignment.html", "assignments", **context)


def _edit_page(
    here: AssignmentFrame,
    assignment: Assignment,
    fields: Mapping[str, str],
    *,
    preview: Terms | None = None,
    error: Wrong | None = None,
    saved: bool = False,
) -> Response:
    context = {**_context(fields, preview, error), "assignment": view_of(assignment, now()), "saved": saved}
    return here.render("edit_assignment.html", "settings", **context)


def _context(typed: Mapping[str, str], preview: Terms | None, error: Wrong | None) -> dict[str, Any]:
    defaults = {"points": "100", "grace_minutes": "0", "is_superseding": "yes"} if not typed else {}
    fields = {**dict.fromkeys(FIELDS, ""), **defaults, **typed}
    return {
        "fields": fields,
        "preview": preview,
        "choices": {name: [each.value for each in kind] for name, kind in CHOICES.items()},
        **errors_of(error, fields).shown,
    }
