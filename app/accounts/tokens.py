"""A person's own tokens: named, expiring, revocable one by one."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import audit
from app.accounts.service import NewToken, add_token, is_current
from app.accounts.sessions import lock_account
from app.database import Database
from app.models import Token, User, WebSession, now
from app.problems import Conflict, NotFound, NotSignedIn, Unprocessable
from app.rows import row_with

TOKENS_MAX: Final = 50
REMEMBERED: Final = timedelta(days=30)
DAY: Final = timedelta(days=1)


def list_own(database: Database, user: User) -> list[Token]:
    """Returns the person's tokens that are not revoked, the oldest first. Expired ones stay for a while, to show why
    they no longer work.
    """
    query = select(Token).where(
        Token.user_id == user.id, Token.revoked_at.is_(None), Token.expires_at > now() - REMEMBERED
    )
    with database.read() as session:
        return list(session.scalars(query.order_by(Token.id)))


def create_own(
    database: Database,
    user: User,
    label: str,
    expires_at: datetime | None,
    *,
    days_max: int,
    maker_id: str | None,
    session_id: str | None = None,
) -> NewToken:
    """Creates a token for the person. `maker_id` names the token that proved who asks, if any: the new one expires no
    later, or whoever found the old one once could stay for ever. `session_id` names the web session in which they ask.

    Raises Unprocessable when it would have expired already or would live too long, Conflict when there are too many,
    NotSignedIn when what proved who asks was ended meanwhile.
    """
    longest = now() + days_max * DAY
    if expires_at is not None and expires_at <= now():
        raise Unprocessable("expires_at must be in the future.")
    if expires_at is not None and expires_at > longest:
        raise Unprocessable(f"A token is valid for at most {days_max} days. Choose an earlier expires_at.")
    with database.write() as session:
        lock_account(session, user.id)
        maker = session.get(Token, maker_id) if maker_id else None
        is_revoked = maker_id is not None and (maker is None or maker.revoked_at is not None)
        if is_revoked or (session_id is not None and session.get(WebSession, session_id) is None):
            raise NotSignedIn("You were signed out at this moment, so no token was made. Sign in again.")
        mine = session.scalars(select(Token).where(Token.user_id == user.id, Token.revoked_at.is_(None)))
        if sum(is_current(token) for token in mine) >= TOKENS_MAX:
            raise Conflict(f"You already have {TOKENS_MAX} tokens. Revoke the ones you no longer use.")
        end = min(expires_at or longest, maker.expires_at) if maker else expires_at or longest
        made = add_token(session, user, label, end)
        made.row.made_with_id = maker_id
        made_with = f"session {session_id}" if session_id else "a token"
        audit.note(session, user, "token.create", user.name, token=made.row.id, made_with=made_with)
        return made


def revoke_own(database: Database, user: User, token_id: str) -> None:
    """Revokes a token, the tokens that were made with it, and the web sessions that it opened. Raises NotFound, also
    for somebody else's.
    """
    with database.write() as session:
        lock_account(session, user.id)
        token = row_with(session, Token, token_id)
        if token is None or token.user_id != user.id or token.revoked_at is not None:
            raise NotFound("You have no such token. GET /me/tokens lists yours.")
        for each in _with_descendants(session, token):
            each.revoked_at = each.revoked_at or now()


def _with_descendants(session: Session, token: Token) -> list[Token]:
    """The token, what was made with it, what was made with that, and so on."""
    found = [token]
    for each in found:
        found += session.scalars(select(Token).where(Token.made_with_id == each.id))
    return found
