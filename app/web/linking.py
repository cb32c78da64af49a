"""Between a provider's proof and an account that waits for its address: the page that asks whether it is theirs."""

import time
from dataclasses import asdict
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.accounts.identities import Claims, Match, link, recognise
from app.models import Proof
from app.problems import Forbidden, Problem
from app.services import Services, WithServices, prove_token
from app.web.rendering import render, see_other
from app.web.sign_in import begin_session, local_address
from app.web.visitors import PostedForm, csrf_token, text_of

LINKING: Final = "linking"
PATIENCE_S: Final = 600  # a cookie that was copied proves nothing for longer

router = APIRouter()


def ask_to_link(request: Request, claims: Claims, address: str, provider: str) -> None:
    """Keeps the provider's claims in the session until the person has answered."""
    request.session.clear()
    kept = {"claims": asdict(claims), "next": address, "provider": provider, "until": time.time() + PATIENCE_S}
    request.session[LINKING] = kept


@router.get("/sign-in/link")
def show_link(request: Request, services: WithServices) -> Response:
    """Shows which account would be linked, and what is needed."""
    return _page(request, services, _claims(request))


@router.post("/sign-in/link")
def link_account(request: Request, services: WithServices, form: PostedForm) -> Response:
    """Links the account; one that has been used must be proved by its token."""
    claims, token = _claims(request), text_of(form, "token").strip()
    address = local_address(request.session[LINKING]["next"])
    try:
        proved = prove_token(request, services, token).user if token else None
        user = link(services.database, claims, text_of(form, "account"), proved)
    except Problem as problem:
        return _page(request, services, claims, problem)
    begin_session(request, services, user, Proof.PROVIDER)
    return see_other(address)


def _claims(request: Request) -> Claims:
    """Raises Forbidden when nobody has just come from the provider with this browser."""
    kept = request.session.get(LINKING)
    if not isinstance(kept, dict) or time.time() > kept["until"]:
        raise Forbidden("This took too long, or was already done. Go back to the sign-in page and try again.")
    return Claims(**kept["claims"])


def _page(request: Request, services: Services, claims: Claims, problem: Problem | None = None) -> Response:
    found = recognise(services.database, claims, may_create=False)
    if not isinstance(found, Match):
        raise Forbidden("Your account is already linked. Go back to the sign-in page and sign in again.")
    return render(
        "link.html",
        problem=problem,
        csrf=csrf_token(request),
        provider=request.session[LINKING]["provider"],
        email=claims.email,
        match=found,
    )
