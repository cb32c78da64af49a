"""The forms in which a student requests a regrade, and withdraws the request."""

import re
from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from app.problems import Conflict, Unprocessable
from app.regrade_requests import service
from app.regrade_requests.schemas import NewRequest
from app.services import WithServices
from app.web.field_errors import errors_of
from app.web.rendering import see_other
from app.web.request_form import RequestDraft
from app.web.submission_page import Typed, submission_page
from app.web.visitors import PostedForm, SignedInVisitor, all_of, text_of

FIELDS: Final = {"reason": "", "tests": "", "file": "", "lines": ""}
BESIDE: Final = {"file": "lines"}  # nobody chose the file where there is one
BETWEEN_LINES: Final = re.compile(r"[\s,;]+")

router = APIRouter(prefix="/submissions/{submission_id}/regrade-requests")


@router.post("")
def request_regrade(submission_id: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Makes a request and shows it; one that is refused is shown again, with the reason."""
    service.refuse_all_but_owner(services.database, visitor.user, submission_id)
    typed = RequestDraft(
        reason=text_of(form, "reason"),
        tests=all_of(form, "tests"),
        request_file=text_of(form, "request_file"),
        lines=text_of(form, "lines"),
    )
    try:
        wanted = NewRequest.model_validate(_wanted(typed))
        made = service.ask(services.database, visitor.user, submission_id, wanted)
    except (ValidationError, Unprocessable, Conflict) as error:
        found = errors_of(error, FIELDS)
        errors = {BESIDE.get(name, name): sentence for name, sentence in found.by_field.items()}
        draft = replace(typed, errors=errors, above=found.above, status=found.status)
        return submission_page(services, visitor, submission_id, Typed(request=draft))
    return see_other(f"/submissions/{submission_id}#request-{made.id}")


@router.post("/{request}")
def withdraw_request(
    submission_id: str, request: str, visitor: SignedInVisitor, services: WithServices, _: PostedForm
) -> Response:
    """Withdraws a request."""
    service.withdraw(services.database, visitor.user, submission_id, request)
    return see_other(f"/submissions/{submission_id}#request-{request}")


def _wanted(typed: RequestDraft) -> dict[str, Any]:
    """What was filled in. A file without a line is only the one that the list begins with."""
    lines = [text for text in BETWEEN_LINES.split(typed.lines) if text]
    more = {"file": typed.request_file} if lines and typed.request_file else {}
    return {"reason": typed.reason, "tests": typed.tests, "lines": lines, **more}
