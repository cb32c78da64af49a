"""All courses, a new one, a copy for another term, and a course's own settings."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from app.courses import archiving, creation, service
from app.courses.creation import MovedAssignment
from app.courses.schemas import ChangedCourse, CourseCopy, NewCourse
from app.problems import Problem
from app.services import Services, WithServices
from app.time_zones import zones_by_region
from app.web.field_errors import Wrong, errors_of
from app.web.rendering import render, see_other
from app.web.staff.frame import CourseFrame, InCourse
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of, texts_of

NEW: Final = ("title", "slug", "time_zone")
COPY: Final = (*NEW, "starts_on")
SETTINGS: Final = ("title", "time_zone")

router = APIRouter(prefix="/courses")


@router.get("")
def show_courses(visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows the visitor's courses; to operators, all of them."""
    roles = {each.slug: each.role for each in (*visitor.staffed, *visitor.studied)}
    found = service.visible_to(services.database, visitor.user)
    return render(
        "courses.html",
        visitor=visitor,
        current=[each for each in found if not each.is_archived],
        archived=[each for each in found if each.is_archived],
        roles=roles,
        may_create=_may_create(services, visitor),
    )


@router.get("/new")
def show_new(visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows the form for a new course."""
    _refuse_others(services, visitor)
    return _new_page(visitor, {"title": "", "slug": "", "time_zone": services.settings.time_zone})


@router.post("/new")
def create(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Creates a course."""
    _refuse_others(services, visitor)
    fields = texts_of(form, NEW)
    try:
        wanted = NewCourse.model_validate(fields)
        made = creation.create(services.database, visitor.user, wanted, by_instructors=_lets_instructors(services))
    except (ValidationError, Problem) as error:
        return _new_page(visitor, fields, error)
    return see_other(f"/courses/{made.slug}")


@router.get("/{course}/copy")
def show_copy(here: InCourse) -> Response:
    """Shows the form for a copy."""
    source = creation.read(*here.in_course)
    _refuse_others(here.services, here.visitor)
    fields = {"title": source.title, "slug": "", "time_zone": source.time_zone, "starts_on": ""}
    return _copy_page(here, fields)


@router.post("/{course}/copy")
def copy(here: InCourse, form: PostedForm) -> Response:
    """Previews the dates of a copy, or makes it."""
    creation.read(*here.in_course)
    _refuse_others(here.services, here.visitor)
    fields = texts_of(form, COPY)
    try:
        wanted = CourseCopy.model_validate(fields)
        if text_of(form, "do") != "save":
            plan = creation.plan_copy(*here.in_course, wanted)
            return _copy_page(here, fields, plan=plan)
        by_instructors = _lets_instructors(here.services)
        made = creation.copy(*here.in_course, wanted, by_instructors=by_instructors)
    except (ValidationError, Problem) as error:
        return _copy_page(here, fields, error)
    return see_other(f"/courses/{made.slug}")


@router.get("/{course}/settings")
def show_settings(here: InCourse, saved: bool = False) -> Response:
    """Shows a course's title and time zone, and what ends it."""
    found = creation.read(*here.in_course)
    fields = {"title": found.title, "time_zone": found.time_zone}
    return _settings_page(here, fields, saved=saved)


@router.post("/{course}/settings")
def change(here: InCourse, form: PostedForm) -> Response:
    """Changes them, archives the course, or brings it back."""
    do = text_of(form, "do")
    if do in ("archive", "bring_back"):
        change_to = archiving.archive if do == "archive" else archiving.bring_back
        change_to(*here.in_course)
        return see_other(f"/courses/{here.course}/settings?saved=true")
    creation.read(*here.in_course)
    fields = texts_of(form, SETTINGS)
    try:
        creation.change(*here.in_course, ChangedCourse.model_validate(fields))
    except (ValidationError, Problem) as error:
        return _settings_page(here, fields, error)
    return see_other(f"/courses/{here.course}/settings?saved=true")


def _lets_instructors(services: Services) -> bool:
    return services.settings.instructors_create_courses


def _may_create(services: Services, visitor: Visitor) -> bool:
    return creation.may_create(services.database, visitor.user, by_instructors=_lets_instructors(services))


def _refuse_others(services: Services, visitor: Visitor) -> None:
    by_instructors = _lets_instructors(services)
    creation.refuse_all_but_creators(services.database, visitor.user, by_instructors=by_instructors)


def _context(fields: Mapping[str, str], error: Wrong | None) -> dict[str, Any]:
    return {"fields": fields, "zones": zones_by_region(), **errors_of(error, fields).shown}


def _new_page(visitor: Visitor, fields: Mapping[str, str], error: Wrong | None = None) -> Response:
    return render("new_course.html", visitor=visitor, **_context(fields, error))


def _copy_page(
    here: CourseFrame, fields: Mapping[str, str], error: Wrong | None = None, plan: list[MovedAssignment] | None = None
) -> Response:
    first = creation.first_of(*here.in_course)
    context = {**_context(fields, error), "plan": plan, "first": _week_of(first)}
    return here.render("copy_course.html", "settings", **context)


def _week_of(first: date | None) -> str | None:
    return f"{first:%A}, {first.day} {first:%B %Y}" if first else None


def _settings_page(
    here: CourseFrame, fields: Mapping[str, str], error: Wrong | None = None, *, saved: bool = False
) -> Response:
    context = {**_context(fields, error), "saved": saved, "may_create": _may_create(here.services, here.visitor)}
    return here.render("course_settings.html", "settings", **context)
