"""One's own tokens: for the command line, made here by whoever signed in without one."""

from datetime import timedelta

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from app.accounts.service import NewToken, is_current
from app.accounts.tokens import create_own, list_own, revoke_own
from app.models import now
from app.problems import Problem, Unprocessable
from app.services import Services, WithServices
from app.web.rendering import render
from app.web.sign_in import SEE_OTHER
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of

DAYS = (30, 180, 365)
LABEL_MAX = 100

router = APIRouter()


@router.get("/tokens")
def show_tokens(visitor: SignedInVisitor, services: WithServices) -> Response:
    return _page(services, visitor)


@router.post("/tokens")
def make_token(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """The page with the new token on it: the only time that anybody sees it."""
    try:
        days = text_of(form, "days")
        if days not in map(str, DAYS):
            raise Unprocessable(f"A token is valid for {', '.join(map(str, DAYS))} days. Choose one of these.")
        label = text_of(form, "label").strip()[:LABEL_MAX]
        made = create_own(services.database, visitor.user, label, now() + timedelta(days=int(days)))
    except Problem as problem:
        return _page(services, visitor, error=problem)
    return _page(services, visitor, made=made)


@router.post("/tokens/{token_id}/revoke")
def revoke_token(token_id: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:  # noqa: ARG001 - the form is the proof
    revoke_own(services.database, visitor.user, token_id)
    return RedirectResponse("/tokens", SEE_OTHER)


def _page(services: Services, visitor: Visitor, made: NewToken | None = None, error: Problem | None = None) -> Response:
    tokens = [(token, is_current(token)) for token in list_own(services.database, visitor.user)]
    return render(
        "tokens.html",
        status_code=error.status if error else 200,
        visitor=visitor,
        tokens=tokens,
        made=made,
        error=error.detail if error else None,
        days=DAYS,
    )
