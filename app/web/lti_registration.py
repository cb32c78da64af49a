"""Dynamic registration: the page that a platform opens with an operator's link, in a frame of its own."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from app.lti import registration
from app.lti.addresses import own_addresses
from app.problems import Problem
from app.services import WithServices
from app.web.rendering import framable, render

Text = Annotated[str, Query(max_length=8000)]
Posted = Annotated[str, Form(max_length=8000)]

router = APIRouter(prefix="/lti/register")


@router.get("/{code}")
def show_registration(
    code: str, services: WithServices, openid_configuration: Text = "", registration_token: Text = ""
) -> Response:
    """Asks whether to register: to follow a link changes nothing."""
    host = registration.expected_host(services.database, code)
    kept = {"openid_configuration": openid_configuration, "registration_token": registration_token}
    return framable(render("lti_register.html", host=host, kept=kept, made=None))


@router.post("/{code}")
def register(
    code: str,
    request: Request,
    services: WithServices,
    openid_configuration: Posted = "",
    registration_token: Posted = "",
) -> Response:
    """Registers us there and the platform here. The link is the proof, and is good for this once."""
    own = own_addresses(request, services.settings)
    try:
        made = registration.complete(services.database, code, openid_configuration, registration_token, own)
    except Problem as problem:
        return framable(render("lti_register.html", problem=problem, host="", kept={}, made=None))
    return framable(render("lti_register.html", host=made.name, kept={}, made=made))
