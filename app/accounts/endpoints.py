"""`/me`: who one is, what is due, and one's tokens."""

from fastapi import APIRouter

from app.accounts import service, tokens
from app.accounts.schemas import CourseMembership, IssuedToken, Me, TokenList, TokenRequest, TokenView
from app.services import SignedIn, WithServices
from app.standing.service import open_standings

router = APIRouter(prefix="/me", tags=["accounts"])


@router.get("")
def read_me(user: SignedIn, services: WithServices) -> Me:
    """Who am I, in which courses, what is due, how I stand in it, and how often have I submitted."""
    courses = service.memberships(services.database, user)
    return Me(
        id=user.id,
        name=user.name,
        role=user.role,
        courses=[CourseMembership.model_validate(course) for course in courses],
        assignments=open_standings(services.database, services.catalogue, user),
        submissions=service.submission_counts(services.database, user),
    )


@router.get("/tokens")
def list_tokens(user: SignedIn, services: WithServices) -> TokenList:
    """My tokens, without what they are: that was shown once."""
    return TokenList(items=[TokenView.model_validate(row) for row in tokens.list_own(services.database, user)])


@router.post("/tokens", status_code=201)
def create_token(wanted: TokenRequest, user: SignedIn, services: WithServices) -> IssuedToken:
    """A new token of mine, shown this once."""
    made = tokens.create_own(services.database, user, wanted.label, wanted.expires_at)
    return IssuedToken(**dict(TokenView.model_validate(made.row)), token=made.clear)


@router.delete("/tokens/{token_id}", status_code=204)
def revoke_token(token_id: str, user: SignedIn, services: WithServices) -> None:
    """From now on this token of mine opens nothing."""
    tokens.revoke_own(services.database, user, token_id)
