"""Signing in with an API token, and out again. The cookie holds a secret of the session, never the token."""

from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from app.accounts import links, sessions
from app.models import Proof, User
from app.problems import NotSignedIn
from app.services import NOT_KNOWN_HERE, SESSION, Services, WithServices, prove_token
from app.web.rendering import render, see_other
from app.web.visitors import PostedForm, csrf_token, find_visitor, text_of

NOT_KNOWN = (
    "This token is unknown or has been revoked. Copy all of it: it begins with assay_. "
    "Your instructor can give you a new one."
)

router = APIRouter()


@router.get("/sign-in")
def show_sign_in(
    request: Request, services: WithServices, next_: Annotated[str, Query(alias="next")] = "/"
) -> Response:
    """Shows the form, or redirects visitors who are signed in already."""
    if find_visitor(request, services) is not None:
        return see_other(local_address(next_))
    return _form(request, services, local_address(next_))


@router.post("/sign-in")
def sign_in(request: Request, services: WithServices, form: PostedForm) -> Response:
    """Begins a new session. Nothing of the one before is carried over."""
    address = local_address(text_of(form, "next"))
    try:
        found = prove_token(request, services, text_of(form, "token").strip())
    except NotSignedIn as problem:
        return _form(request, services, address, NOT_KNOWN if problem.detail == NOT_KNOWN_HERE else problem.detail)
    begin_session(request, services, found.user, Proof.TOKEN, found.token_id)
    return see_other(address)


@router.post("/sign-out")
def sign_out(request: Request, services: WithServices, _: PostedForm) -> Response:
    """Ends the session, for copied cookies too; the token that opened it stays valid."""
    _end_session(request, services)
    return see_other("/")


def begin_session(request: Request, services: Services, user: User, proof: Proof, token_id: str | None = None) -> None:
    """Begins a new session in this browser, and ends the one before."""
    _end_session(request, services)
    browser = request.headers.get("user-agent", "")
    request.session[SESSION] = sessions.begin(services.database, user, proof, browser, token_id)
    csrf_token(request)


def _end_session(request: Request, services: Services) -> None:
    secret = request.session.get(SESSION)
    if isinstance(secret, str):
        sessions.end(services.database, secret)
    request.session.clear()


def _form(request: Request, services: Services, address: str, error: str | None = None) -> Response:
    settings = services.settings
    return render(
        "sign_in.html",
        status_code=HTTPStatus.UNAUTHORIZED if error else HTTPStatus.OK,
        csrf=csrf_token(request),
        next=address,
        error=error,
        provider=settings.openid_name if settings.openid_issuer else None,
        is_new=not links.is_claimed(services.database),
    )


def local_address(address: str) -> str:
    """Returns `address` when it is a path on this server, else the front page, so that nobody is sent to a foreign
    site.
    """
    try:
        parts = urlsplit(address)
    except ValueError:  # it names a host, and that none could have
        return "/"
    is_local = not parts.scheme and not parts.netloc and address.startswith("/") and not address.startswith("//")
    return address if is_local and address.isprintable() and "\\" not in address else "/"
