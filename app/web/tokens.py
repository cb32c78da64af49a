"""One's own tokens, for the command line, and where one is signed in."""

from datetime import timedelta

from fastapi import APIRouter
from fastapi.responses import Response

from app.accounts import identities, sessions
from app.accounts.names import is_line
from app.accounts.service import NewToken, is_current
from app.accounts.tokens import create_own, list_own, revoke_own
from app.models import now
from app.problems import Forbidden, Problem, Unprocessable
from app.services import Services, WithServices
from app.web.rendering import render, see_other
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of

DAYS = (30, 180, 365)
LABEL_MAX = 100

router = APIRouter()


@router.get("/tokens")
def show_tokens(visitor: SignedInVisitor, services: WithServices) -> Response:
    """Shows the visitor's tokens and sessions."""
    return _page(services, visitor)


@router.post("/tokens")
def make_token(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Creates a token and shows it, the only time that it can be seen."""
    try:
        made = _make(services, visitor, text_of(form, "label").strip(), text_of(form, "days"))
    except Problem as problem:
        return _page(services, visitor, problem=problem)
    return _page(services, visitor, made=made)


def _make(services: Services, visitor: Visitor, label: str, days: str) -> NewToken:
    choices = _days(services)
    if not sessions.is_recent(visitor.session):
        raise Forbidden("You signed in more than an hour ago. Sign out and in again, then create the token.")
    if days not in map(str, choices):
        raise Unprocessable(f"A token is valid for {', '.join(map(str, choices))} days. Choose one of these.")
    if not is_line(label):
        raise Unprocessable("The name must be a single line of printable text.")
    return create_own(
        services.database,
        visitor.user,
        label[:LABEL_MAX],
        now() + timedelta(days=int(days)),
        days_max=services.settings.token_days_max,
        maker_id=visitor.session.token_id,
        session_id=visitor.session.id,
    )


@router.post("/tokens/{token_id}/revoke")
def revoke_token(token_id: str, visitor: SignedInVisitor, services: WithServices, _: PostedForm) -> Response:
    """Revokes one of the visitor's tokens."""
    revoke_own(services.database, visitor.user, token_id)
    return see_other("/tokens")


@router.post("/sessions/{session_id}/end")
def end_session(session_id: str, visitor: SignedInVisitor, services: WithServices, _: PostedForm) -> Response:
    """Ends one of the visitor's sessions."""
    sessions.end_own(services.database, visitor.user, session_id)
    return see_other("/tokens")


@router.post("/sessions/end")
def sign_out_everywhere(visitor: SignedInVisitor, services: WithServices, _: PostedForm) -> Response:
    """Ends all of the visitor's sessions and tokens."""
    sessions.sign_out_everywhere(services.database, visitor.user)
    return see_other("/")


@router.post("/identities/unlink")
def unlink(visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Unlinks an account elsewhere: it signs nobody in here any more."""
    issuer, subject = text_of(form, "issuer"), text_of(form, "subject")
    identities.unlink_own(services.database, visitor.user, issuer, subject, but=visitor.session.id)
    return see_other("/tokens")


def _days(services: Services) -> tuple[int, ...]:
    longest = services.settings.token_days_max
    return tuple(days for days in DAYS if days <= longest) or (longest,)


def _page(
    services: Services, visitor: Visitor, made: NewToken | None = None, problem: Problem | None = None
) -> Response:
    tokens = [(token, is_current(token)) for token in list_own(services.database, visitor.user)]
    return render(
        "tokens.html",
        problem=problem,
        visitor=visitor,
        tokens=tokens,
        sessions=sessions.list_own(services.database, visitor.user),
        identities=identities.list_own(services.database, visitor.user),
        made=made,
        days=_days(services),
    )
