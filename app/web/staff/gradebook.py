"""The gradebook's pages: students by assignments, and one student's work in one assignment with what staff may give."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.datastructures import FormData

from app.courses.creation import read as read_course
from app.gradebook import exceptions, overrides, service
from app.gradebook.book import CellState
from app.gradebook.schemas import Direction, NewException, NewOverride, Rules
from app.gradebook.service import BY_NAME, GradebookQuery
from app.gradebook.work import one_work
from app.problems import Problem, Unprocessable
from app.web.field_errors import FieldErrors, Wrong, errors_of, moment_in
from app.web.rendering import see_other
from app.web.staff.frame import CourseFrame, InCourse, Offset, Short, chosen_in
from app.web.visitors import PostedForm, text_of, texts_of

ROWS: Final = 50
EXCEPTION: Final = ("section", "due_at", "closes_at", "extra_attempts", "exception_reason")
OVERRIDE: Final = ("points", "override_reason")

router = APIRouter(prefix="/courses/{course}")


@router.get("/gradebook")
def show_gradebook(
    here: InCourse,
    search: Short = "",
    section: Short = "",
    state: CellState | Literal[""] = "",
    assignment: Short = "",
    sort: Short = BY_NAME,
    direction: Direction = Direction.UP,
    offset: Offset = 0,
    done: Short = "",
) -> Response:
    """Shows students by assignments. The filter is in the address, so that it can be sent to a colleague."""
    wanted = GradebookQuery(
        search.strip() or None, section or None, state or None, assignment or None, sort, direction, offset, ROWS
    )
    found = service.page(
        here.database, here.services.catalogue, here.services.summaries, here.user, here.course, wanted
    )
    return here.render(
        "gradebook.html",
        "gradebook",
        found=found,
        chosen=chosen_in(wanted),
        sort=sort,
        direction=direction,
        states=list(CellState),
        offset=offset,
        rows_max=ROWS,
        done=done,
    )


@router.post("/gradebook")
def change_rules(here: InCourse, form: PostedForm) -> Response:
    """Changes how many of the lowest results are dropped."""
    try:
        wanted = Rules.model_validate({"drop_lowest": text_of(form, "drop_lowest").strip()})
    except ValidationError as error:
        raise Unprocessable("Drop the lowest: write a whole number from 0 to 20, and send it again.") from error
    service.change_rules(*here.in_course, wanted)
    return see_other(f"/courses/{here.course}/gradebook?done=rules")


@router.get("/assignments/{assignment}/students/{name}")
def show_work(assignment: str, name: str, here: InCourse, done: Short = "") -> Response:
    """Shows a student's work in an assignment: points, terms, attempts, and what was given."""
    return _work_page(here, assignment, name, {}, done=done)


@router.post("/assignments/{assignment}/students/{name}")
def change_work(assignment: str, name: str, here: InCourse, form: PostedForm) -> Response:
    """Gives or takes back an exception or an override."""
    what = text_of(form, "do")
    try:
        _do(here, assignment, name, form)
    except (ValidationError, Problem) as error:
        typed = texts_of(form, (*EXCEPTION, *OVERRIDE))
        return _work_page(here, assignment, name, typed, error=error, failed=what)
    return see_other(f"/courses/{here.course}/assignments/{assignment}/students/{name}?done={what}")


def _do(here: CourseFrame, assignment: str, name: str, form: FormData) -> None:
    where = (*here.in_course, assignment)
    reason = {field: text_of(form, f"{field}_reason").strip() for field in ("exception", "override")}
    match text_of(form, "do"):
        case "exception":
            zone = read_course(*here.in_course).time_zone
            section = text_of(form, "section")
            whom = {"section": section} if section else {"student": name}
            sent = {**whom, "reason": reason["exception"], **_more(form, zone)}
            exceptions.give(*where, NewException.model_validate(sent))
        case "withdraw-exception":
            exceptions.withdraw(*where, text_of(form, "exception"))
        case "override":
            points = text_of(form, "points").strip()
            sent = {"student": name, "points": points, "reason": reason["override"]}
            overrides.give(*where, NewOverride.model_validate(sent))
        case "withdraw-override":
            sent = {"student": name, "points": None, "reason": reason["override"]}
            overrides.give(*where, NewOverride.model_validate(sent))
        case _:
            raise Unprocessable("Choose one of the buttons of this page.")


def _more(form: FormData, zone: str) -> dict[str, Any]:
    """What was filled in, its times in the course's zone."""
    typed = texts_of(form, EXCEPTION)
    times = {name: moment_in(typed, name, zone) for name in ("due_at", "closes_at")}
    return {"extra_attempts": typed["extra_attempts"] or 0, **times}


def _work_page(
    here: CourseFrame,
    assignment: str,
    name: str,
    typed: dict[str, str],
    *,
    done: str = "",
    error: Wrong | None = None,
    failed: str = "",
) -> Response:
    found = one_work(here.database, here.services.catalogue, here.user, here.course, assignment, name)
    fields = dict.fromkeys((*EXCEPTION, *OVERRIDE), "") | typed
    return here.render(
        "work.html",
        "gradebook",
        found=found,
        full_names=here.full_names(
            {each.given_by for each in found.exceptions} | {each.given_by for each in found.overrides}
        ),
        fields=fields,
        done=done,
        **_errors(error, failed, fields).shown,
    )


def _errors(error: Wrong | None, what: str, fields: Mapping[str, str]) -> FieldErrors:
    """What is wrong, beside the fields; each of the two forms has a reason of its own."""
    found = errors_of(error, {**fields, "reason": ""})
    if "reason" in found.by_field:
        found.by_field[f"{what.removeprefix('withdraw-')}_reason"] = found.by_field.pop("reason")
    return found
