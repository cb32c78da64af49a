"""Regrade requests of a course: the list, and one request with all that helps to answer it."""

from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from app.models import RequestOutcome, now
from app.problems import Conflict
from app.regrade_requests import answering
from app.regrade_requests.schemas import Answer, CourseRequestView
from app.submissions.files import sent_files
from app.web.field_errors import NO_ERRORS, FieldErrors, errors_of
from app.web.rendering import see_other
from app.web.source import Line, excerpt
from app.web.staff.frame import CourseFrame, InCourse, Short
from app.web.visitors import PostedForm, text_of

ROWS: Final = 50
TAB: Final = "requests"
FIELDS: Final = {"outcome": "", "answer": ""}
OUTCOMES: Final = ("", RequestOutcome.UNCHANGED, RequestOutcome.POINTS_CHANGED, RequestOutcome.GRADED_AGAIN)

router = APIRouter(prefix="/courses/{course}/regrade-requests")


@router.get("")
def show_requests(here: InCourse, closed: bool = False, after: Short = "") -> Response:
    """Shows the open requests, the oldest first; or those that are closed."""
    page = answering.page(*here.in_course, after or None, ROWS, closed=closed)
    return here.render("regrade_requests.html", TAB, page=page, closed=closed, after=after, moment=now())


@router.get("/{request}")
def show_request(request: str, here: InCourse) -> Response:
    """Shows a request, the result that it is about, and the form to answer it."""
    return _request_page(here, request, FIELDS, NO_ERRORS)


@router.post("/{request}")
def answer_request(request: str, here: InCourse, form: PostedForm) -> Response:
    """Answers a request, and goes on to the list."""
    answering.read(*here.in_course, request)  # before what was typed is looked at
    typed = {name: text_of(form, name) for name in FIELDS}
    try:
        given = Answer.model_validate(typed)
        answering.answer(*here.in_course, request, given)
    except (ValidationError, Conflict) as error:
        return _request_page(here, request, typed, errors_of(error, FIELDS))
    return see_other(f"/courses/{here.course}/regrade-requests/{request}")


def _request_page(here: CourseFrame, request: str, fields: Mapping[str, str], wrong: FieldErrors) -> Response:
    found = answering.read(*here.in_course, request)
    return here.render(
        "regrade_request.html",
        TAB,
        found=found,
        excerpts=_excerpts(here, found),
        fields=fields,
        outcomes=OUTCOMES,
        moment=now(),
        **wrong.shown,
    )


def _excerpts(here: CourseFrame, found: CourseRequestView) -> list[tuple[int, list[Line]]]:
    """The source around each line that was named."""
    if not found.lines:
        return []
    files = sent_files(here.database, here.user, found.submission)
    text = next((file.text for file in files if file.path == found.file or (found.file is None and file.is_main)), "")
    return [(line, excerpt(text, line)) for line in found.lines]
