"""`/me`: who one is, what is due, one's tokens and web sessions."""

from http import HTTPStatus

from fastapi import APIRouter

from app.accounts import service, sessions, tokens
from app.accounts.schemas import (
    CourseMembership,
    IssuedToken,
    Me,
    SessionList,
    SessionView,
    TokenList,
    TokenRequest,
    TokenView,
)
from app.services import Proved, SignedIn, WithServices
from app.standing.service import open_standings

router = APIRouter(prefix="/me", tags=["accounts"])


@router.get("")
def read_me(user: SignedIn, services: WithServices) -> Me:
    """Who I am, my courses, what is due, how I stand in it, and how often I have submitted."""
    courses = service.memberships(services.database, user)
    return Me.of(
        user,
        courses=[CourseMembership.model_validate(course) for course in courses],
        assignments=open_standings(services.database, services.catalogue, user),
        submissions=service.submission_counts(services.database, user),
    )


@router.get("/tokens")
def list_tokens(user: SignedIn, services: WithServices) -> TokenList:
    """My tokens, without their secrets, which were shown once."""
    return TokenList(items=[TokenView.model_validate(row) for row in tokens.list_own(services.database, user)])


@router.post("/tokens", status_code=HTTPStatus.CREATED)
def create_token(wanted: TokenRequest, proof: Proved, services: WithServices) -> IssuedToken:
    """Creates a token of mine and shows it this once. It expires no later than the token that asks for it."""
    made = tokens.create_own(
        services.database,
        proof.user,
        wanted.label,
        wanted.expires_at,
        days_max=services.settings.token_days_max,
        maker_id=proof.token_id,
    )
    return IssuedToken(**dict(TokenView.model_validate(made.row)), token=made.clear)


@router.delete("/tokens/current", status_code=HTTPStatus.NO_CONTENT)
def revoke_current_token(proof: Proved, services: WithServices) -> None:
    """Revokes the token that asks for it, the tokens that were made with it, and its web sessions."""
    tokens.revoke_own(services.database, proof.user, proof.token_id or "")


@router.delete("/tokens/{token_id}", status_code=HTTPStatus.NO_CONTENT)
def revoke_token(token_id: str, user: SignedIn, services: WithServices) -> None:
    """Revokes one of my tokens, the tokens that were made with it, and its web sessions."""
    tokens.revoke_own(services.database, user, token_id)


@router.get("/sessions")
def list_sessions(user: SignedIn, services: WithServices) -> SessionList:
    """Where I am signed in with a browser."""
    return SessionList(items=[SessionView.model_validate(row) for row in sessions.list_own(services.database, user)])


@router.delete("/sessions/{session_id}", status_code=HTTPStatus.NO_CONTENT)
def end_session(session_id: str, user: SignedIn, services: WithServices) -> None:
    """Ends one of my web sessions; its cookie is no longer valid."""
    sessions.end_own(services.database, user, session_id)


@router.delete("/sessions", status_code=HTTPStatus.NO_CONTENT)
def sign_out_everywhere(proof: Proved, services: WithServices) -> None:
    """Ends all of my web sessions, and all of my tokens but the one that asks for it."""
    sessions.sign_out_everywhere(services.database, proof.user, but=proof.token_id)
