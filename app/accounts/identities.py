"""People who come from an OpenID Connect provider: who they are here, and the session they get."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.accounts.service import add_token, add_user
from app.database import Database
from app.models import Identity, Role, Token, User, now
from app.problems import Forbidden

SESSION: Final = timedelta(hours=12)
SESSION_LABEL: Final = "a browser"
logger = structlog.get_logger(part="accounts")


@dataclass(frozen=True)
class Claims:
    """What a provider has proved of somebody. `email` only when the provider has verified it."""

    issuer: str
    subject: str
    email: str | None = None
    name: str | None = None


def recognise(database: Database, claims: Claims, *, may_create: bool) -> User:
    """The person of these claims: known from before, or by the address on a roster, or new where that is allowed.

    Raises Forbidden, with what to do, when nobody here is meant.
    """
    with database.write() as session:
        known = session.get(Identity, (claims.issuer, claims.subject))
        if known is not None:
            return known.user
        user = _on_a_roster(session, claims)
        if user is None and may_create:
            name = claims.email or claims.subject
            user = add_user(session, name, Role.STUDENT)
            user.full_name, user.email = claims.name, claims.email
        if user is None:
            raise Forbidden(
                f"You are signed in as {claims.email or claims.name or 'somebody without an address'}, and nobody of "
                "that address is on a roster here. Ask your instructor to put you on it, with exactly this address."
            )
        session.add(Identity(issuer=claims.issuer, subject=claims.subject, user_id=user.id))
        logger.info("identity_linked", user=user.name, issuer=claims.issuer)
        return user


def open_session(database: Database, user: User) -> str:
    """The number of a token that nobody sees, for a browser's session: it ends by itself, and can be revoked."""
    with database.write() as session:
        return add_token(session, user, SESSION_LABEL, now() + SESSION).row.id


def close_session(database: Database, token_id: str) -> None:
    """Signing out: a copied cookie is worth nothing afterwards. A token that the person typed in stays theirs."""
    with database.write() as session:
        token = session.get(Token, token_id)
        if token is not None and token.label == SESSION_LABEL and token.expires_at is not None:
            token.revoked_at = token.revoked_at or now()


def _on_a_roster(session: Session, claims: Claims) -> User | None:
    """By address, without regard to case. Whoever came from this provider before keeps the account: an institution may
    give an address to somebody else later.
    """
    if claims.email is None:
        return None
    linked = select(Identity.user_id).where(Identity.issuer == claims.issuer)
    return session.scalar(select(User).where(func.lower(User.email) == claims.email.lower(), User.id.not_in(linked)))
