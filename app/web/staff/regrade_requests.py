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
from app.services import Services, WithServices
from app.submissions.files import sent_files
from app.web.field_errors import NO_ERRORS, FieldErrors, errors_of
from app.web.rendering import see_other
from app.web.source import Line, excerpt
from app.web.staff.frame import Short, render_course
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of

ROWS: Final = 50
TAB: Final = "requests"
FIELDS: Final = {"outcome": "", "answer": ""}
OUTCOMES: Final = ("", RequestOutcome.UNCHANGED, RequestOutcome.POINTS_CHANGED, RequestOutcome.GRADED_AGAIN)

router = APIRouter(prefix="/courses/{course}/regrade-requests")


@router.get("")
def show_requests(
    course: str, visitor: SignedInVisitor, services: WithServices, closed: bool = False, after: Short = ""
) -> Response:
    """Shows the open requests, the oldest first; or those that are closed."""
    page = answering.page(services.database, visitor.user, course, after or None, ROWS, closed=closed)
    return render_course(
        "regrade_requests.html",
        services,
        visitor,
        course,
        TAB,
        page=page,
        closed=closed,
        after=after,
        moment=now(),
    )


@router.get("/{request}")
def show_request(course: str, request: str, visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows a request, the result that it is about, and the form to answer it."""
    return _request_page(services, visitor, course, request, FIELDS, NO_ERRORS)


@router.post("/{request}")
def answer_request(
    course: str, request: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm
) -> Response:
    """Answers a request, and goes on to the list."""
    answering.read(services.database, visitor.user, course, request)  # before what was typed is looked at
    typed = {name: text_of(form, name) for name in FIELDS}
    try:
        given = Answer.model_validate(typed)
        answering.answer(services.database, visitor.user, course, request, given)
    except (ValidationError, Conflict) as error:
        return _request_page(services, visitor, course, request, typed, errors_of(error, FIELDS))
    return see_other(f"/courses/{course}/regrade-requests/{request}")


def _request_page(
    services: Services,
    visitor: Visitor,
    course: str,
    request: str,
    fields: Mapping[str, str],
    wrong: FieldErrors,
) -> Response:
    found = answering.read(services.database, visitor.user, course, request)
    return render_course(
        "regrade_request.html",
        services,
        visitor,
        course,
        TAB,
        status_code=wrong.status,
        found=found,
        excerpts=_excerpts(services, visitor, found),
        fields=fields,
        errors=wrong.by_field,
        above=wrong.above,
        outcomes=OUTCOMES,
        moment=now(),
    )


def _excerpts(services: Services, visitor: Visitor, found: CourseRequestView) -> list[tuple[int, list[Line]]]:
    """The source around each line that was named."""
    if not found.lines:
        return []
    files = sent_files(services.database, visitor.user, found.submission)
    text = next((file.text for file in files if file.path == found.file or (found.file is None and file.is_main)), "")
    return [(line, excerpt(text, line)) for line in found.lines]
