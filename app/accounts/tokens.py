"""A person's own tokens: named, expiring, revocable one by one."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select

from app import audit
from app.accounts.service import NewToken, add_token, is_current
from app.database import Database
from app.identifiers import is_id
from app.models import Token, User, now
from app.problems import Conflict, NotFound, Unprocessable

TOKENS_MAX: Final = 50
REMEMBERED: Final = timedelta(days=30)
DAY: Final = timedelta(days=1)


def list_own(database: Database, user: User) -> list[Token]:
    """Those that are not revoked, the oldest first; for a while expired ones too: one sees why they no longer work."""
    query = select(Token).where(
        Token.user_id == user.id, Token.revoked_at.is_(None), Token.expires_at > now() - REMEMBERED
    )
    with database.read() as session:
        return list(session.scalars(query.order_by(Token.id)))


def create_own(
    database: Database, user: User, label: str, expires_at: datetime | None, *, days_max: int, made_with: str
) -> NewToken:
    """`made_with` tells the audit log what proved who asks. Raises Unprocessable when it would have expired already or
    would live for too long, Conflict when there are too many.
    """
    longest = now() + days_max * DAY
    if expires_at is not None and expires_at <= now():
        raise Unprocessable("expires_at must be in the future.")
    if expires_at is not None and expires_at > longest:
        raise Unprocessable(f"A token lives for at most {days_max} days. Choose an earlier expires_at.")
    with database.write() as session:
        mine = session.scalars(select(Token).where(Token.user_id == user.id, Token.revoked_at.is_(None)))
        if sum(is_current(token) for token in mine) >= TOKENS_MAX:
            raise Conflict(f"You have {TOKENS_MAX} tokens already. Revoke those that you no longer use.")
        made = add_token(session, user, label, expires_at or longest)
        audit.note(session, user, "token.create", user.name, token=made.row.id, made_with=made_with)
        return made


def revoke_own(database: Database, user: User, token_id: str) -> None:
    """Web sessions that were opened with it end too. Raises NotFound, also for somebody else's."""
    with database.write() as session:
        token = session.get(Token, token_id) if is_id(token_id) else None
        if token is None or token.user_id != user.id or token.revoked_at is not None:
            raise NotFound("You have no such token. GET /me/tokens lists yours.")
        token.revoked_at = now()
