"""Learning platforms, for operators: our addresses, registrations, and the link for dynamic registration."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.datastructures import FormData

from app.hosts import origin_of
from app.lti import platforms, registration
from app.lti.addresses import own_addresses
from app.lti.schemas import ChangedPlatform, NewPlatform, NewRegistration
from app.operations.service import refuse_all_but_operators
from app.problems import Problem, Unprocessable
from app.services import Services, WithServices
from app.web.rendering import render, see_other
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of, texts_of

TEXTS: Final = ("name", "issuer", "client_id", "authorization_url", "token_url", "keyset_url", "token_audience")
LISTS: Final = ("service_hosts", "deployment_ids")

router = APIRouter(prefix="/operations/lms")


@router.get("")
def show_platforms(request: Request, visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows registrations and our addresses."""
    return _page(request, services, visitor)


@router.post("")
def add_platform(request: Request, visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Adds a registration, makes a link for one, or replaces our keys."""
    refuse_all_but_operators(visitor.user)
    fields = texts_of(form, (*TEXTS, *LISTS, "host"))
    try:
        match text_of(form, "do"):
            case "add":
                told = {name: fields[name] for name in TEXTS if fields[name]} | _lists(form)
                platforms.add(services.database, visitor.user, NewPlatform.model_validate(told))
            case "link":
                wanted = NewRegistration.model_validate({"host": fields["host"]})
                code = registration.begin(services.database, visitor.user, wanted)
                link = f"{origin_of(request, services.settings)}/lti/register/{code}"
                return _page(request, services, visitor, link=link, host=wanted.host)
            case "keys":
                services.lti.keys.replace(visitor.user)
            case _:
                raise Unprocessable("Choose what to do: add a platform, make a registration link, or replace the keys.")
    except (ValidationError, Problem) as error:
        return _page(request, services, visitor, fields=fields, error=error)
    return see_other("/operations/lms")


@router.post("/{platform}")
def change_platform(
    platform: str, request: Request, visitor: SignedInVisitor, services: WithServices, form: PostedForm
) -> Response:
    """Changes a registration, or removes it."""
    refuse_all_but_operators(visitor.user)
    try:
        if text_of(form, "do") == "remove":
            platforms.remove(services.database, visitor.user, platform)
        else:
            told = {"is_active": text_of(form, "is_active") == "yes"} | _lists(form)
            platforms.change(services.database, visitor.user, platform, ChangedPlatform.model_validate(told))
    except ValidationError as error:
        return _page(request, services, visitor, error=error)
    return see_other("/operations/lms")


def _lists(form: FormData) -> dict[str, list[str]]:
    """One a line, or with commas or spaces between them."""
    return {name: text_of(form, name).replace(",", " ").split() for name in LISTS}


def _page(
    request: Request,
    services: Services,
    visitor: Visitor,
    *,
    fields: Mapping[str, str] | None = None,
    error: ValidationError | Problem | None = None,
    link: str | None = None,
    host: str | None = None,
) -> Response:
    status = error.status if isinstance(error, Problem) else HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK
    return render(
        "staff/platforms.html",
        status_code=status,
        visitor=visitor,
        own=own_addresses(request, services.settings),
        items=platforms.list_all(services.database, visitor.user),
        fields={**dict.fromkeys((*TEXTS, *LISTS, "host"), ""), **(fields or {})},
        errors=_by_field(error),
        link=link,
        host=host,
    )


def _by_field(error: ValidationError | Problem | None) -> dict[str, str]:
    """By the field that is wrong; a problem of the whole form has none."""
    if error is None:
        return {}
    if isinstance(error, Problem):
        return {"": error.detail}
    return {
        str(item["loc"][0]): "Enter this." if item["type"] == "missing" else _sentence(item["msg"])
        for item in error.errors()
    }


def _sentence(message: str) -> str:
    told = message.removeprefix("Value error, ")
    return f"{told[:1].upper()}{told[1:]}."
