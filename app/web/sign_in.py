"""Signing in with an API token, and out again. The session holds the token's number, never the token."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from app.accounts import service as accounts
from app.accounts.identities import close_session
from app.problems import NotSignedIn
from app.services import Services, WithServices
from app.web.rendering import render
from app.web.visitors import PostedForm, csrf_token, find_visitor, text_of

SEE_OTHER = 303
NOT_KNOWN = (
    "This token is not known here, or it has been revoked. Copy it whole: it begins with assay_. "
    "Your instructor can give you a new one."
)

router = APIRouter()


@router.get("/sign-in")
def show_sign_in(
    request: Request, services: WithServices, next_: Annotated[str, Query(alias="next")] = "/"
) -> Response:
    """The form; whoever is signed in already goes where they wanted."""
    if find_visitor(request, services) is not None:
        return RedirectResponse(local_address(next_), SEE_OTHER)
    return _form(request, services, local_address(next_))


@router.post("/sign-in")
def sign_in(request: Request, services: WithServices, form: PostedForm) -> Response:
    """Begin a new session: nothing of the one before goes into it."""
    address = local_address(text_of(form, "next"))
    try:
        found = accounts.sign_in(services.database, text_of(form, "token").strip())
    except NotSignedIn as problem:
        return _form(request, services, address, problem.detail)
    if found is None:
        return _form(request, services, address, NOT_KNOWN)
    request.session.clear()
    request.session["token_id"] = found.token_id
    csrf_token(request)
    return RedirectResponse(address, SEE_OTHER)


@router.post("/sign-out")
def sign_out(request: Request, services: WithServices, form: PostedForm) -> Response:  # noqa: ARG001 - the proof
    """A session that a provider opened ends for good, in a copied cookie too; one's own token stays valid."""
    token_id = request.session.get("token_id")
    if isinstance(token_id, str):
        close_session(services.database, token_id)
    request.session.clear()
    return RedirectResponse("/", SEE_OTHER)


def _form(request: Request, services: Services, address: str, error: str | None = None) -> Response:
    settings = services.settings
    return render(
        "sign_in.html",
        status_code=401 if error else 200,
        csrf=csrf_token(request),
        next=address,
        error=error,
        provider=settings.openid_name if settings.openid_issuer else None,
    )


def local_address(address: str) -> str:
    """`address` when it is a path on this server, else the front page: nobody is sent to a foreign site."""
    parts = urlsplit(address)
    is_local = not parts.scheme and not parts.netloc and address.startswith("/") and not address.startswith("//")
    return address if is_local and address.isprintable() and "\\" not in address else "/"
