"""The first page of a new installation: its operator, a course, an exercise, a test student. It asks for the code that
the service printed where it was started: nobody else on the network can claim an installation.
"""

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import ValidationError

from app.accounts import links
from app.first_run.schemas import Beginning
from app.first_run.service import Begun, begin
from app.hosts import origin_of
from app.models import Proof
from app.problems import Forbidden, Problem
from app.services import Services, WithServices
from app.time_zones import zones_by_region
from app.web.codes import counted_as_wrong
from app.web.field_errors import NO_ERRORS, FieldErrors, errors_of, moment_in
from app.web.rendering import render, see_other
from app.web.sign_in import begin_session
from app.web.visitors import PostedForm, csrf_token, find_visitor, texts_of

FIELDS: Final = ("code", "operator", "title", "slug", "time_zone", "challenge", "due_at", "student")

router = APIRouter(prefix="/first-run")


@router.get("", name="show_first_run")
def show_first_run(request: Request, services: WithServices) -> Response:
    """Shows the form, until there is an operator."""
    if links.is_claimed(services.database):
        return see_other("/sign-in")
    defaults = {
        "operator": "operator",
        "time_zone": services.settings.time_zone,
        "student": "test-student",
        "challenge": next((entry.slug for entry in services.catalogue), ""),
    }
    return _page(request, services, {**dict.fromkeys(FIELDS, ""), **defaults}, NO_ERRORS)


@router.post("")
def set_up(request: Request, services: WithServices, form: PostedForm) -> Response:
    """Makes everything at once, or says what is wrong."""
    fields = texts_of(form, FIELDS)
    try:
        wanted = _wanted(fields)
        done = begin(services.database, services.catalogue, fields["code"], wanted, services.settings.token_days_max)
    except Forbidden as problem:
        told = counted_as_wrong(request, services, fields["code"], problem)
        return _page(request, services, fields, errors_of(told, fields))
    except (ValidationError, Problem) as error:
        return _page(request, services, fields, errors_of(error, fields))
    begin_session(request, services, done.operator, Proof.LINK)
    return _done_page(request, services, done)


def _wanted(fields: dict[str, str]) -> Beginning:
    zone = fields["time_zone"] if fields["time_zone"] in _zones() else "UTC"
    given = {name: value for name, value in fields.items() if name != "code"}
    times = {"due_at": moment_in(fields, "due_at", zone)}
    return Beginning.model_validate({**given, **times, "student": fields["student"] or None})


def _zones() -> set[str]:
    return {name for names in zones_by_region().values() for name in names}


def _page(request: Request, services: Services, fields: dict[str, str], errors: FieldErrors) -> Response:
    return render(
        "first_run.html",
        csrf=csrf_token(request),
        fields=fields,
        **errors.shown,
        zones=zones_by_region(),
        challenge_titles={entry.slug: entry.challenge.manifest.title for entry in services.catalogue},
    )


def _done_page(request: Request, services: Services, done: Begun) -> Response:
    server = origin_of(request, services.settings)
    return render("begun.html", visitor=find_visitor(request, services), done=done, server=server)
