"""Web sessions: a row for each sign-in with a browser. The cookie holds a secret; without its row it opens nothing."""

import secrets
from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, delete, exists, or_, select, update
from sqlalchemy.orm import Session, with_expression

from app import audit
from app.database import Database
from app.hashing import sha256_of
from app.models import ExerciseAuthor, Proof, Token, User, WebSession, now
from app.problems import NotFound
from app.rows import changed_rows, hold, row_with

IDLE: Final = timedelta(hours=12)
LONGEST: Final = {
    Proof.TOKEN: timedelta(days=7),
    Proof.PROVIDER: timedelta(hours=12),
    Proof.LINK: timedelta(hours=12),
}
RECENT: Final = timedelta(hours=1)  # old enough to have been copied is too old to make a token that lives for a year
USE_NOTED_EVERY: Final = timedelta(minutes=10)
SECRET_LENGTH_MAX: Final = 100
SESSIONS_MAX: Final = 50
_BROWSERS: Final = (("Edg/", "Edge"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
_SYSTEMS: Final = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad")),
    *(("Windows", "Windows"), ("Mac OS", "macOS"), ("Linux", "Linux")),
)


def begin(database: Database, user: User, proof: Proof, browser: str, token_id: str | None = None) -> str:
    """Creates a web session and returns its secret. `token_id` names the token that proved it."""
    secret, moment = secrets.token_urlsafe(32), now()
    with database.write() as session:
        session.execute(delete(WebSession).where(WebSession.user_id == user.id, _is_over()))
        session.execute(
            update(User).where(User.id == user.id, User.first_used_at.is_(None)).values(first_used_at=moment)
        )
        row = WebSession(
            user_id=user.id,
            token_id=token_id,
            sha256=sha256_of(secret),
            proof=proof,
            browser=browser_of(browser),
            expires_at=moment + LONGEST[proof],
        )
        session.add(row)
        _end_oldest(session, user)
    return secret


def _end_oldest(session: Session, user: User) -> None:
    """Nobody needs more than SESSIONS_MAX at one time."""
    session.flush()
    newest = select(WebSession.id).where(WebSession.user_id == user.id).order_by(WebSession.id.desc())
    kept = newest.limit(SESSIONS_MAX).subquery()
    session.execute(delete(WebSession).where(WebSession.user_id == user.id, WebSession.id.not_in(select(kept.c.id))))


def find(database: Database, secret: str) -> WebSession | None:
    """Returns the session with its person; None when it, or the token that proved it, has ended."""
    if len(secret) > SECRET_LENGTH_MAX:
        return None
    is_author = exists().where(ExerciseAuthor.user_id == WebSession.user_id)
    query = select(WebSession).where(WebSession.sha256 == sha256_of(secret))
    with database.read() as session:
        found = session.scalar(query.options(with_expression(WebSession.is_author, is_author)))
    if found is None or not is_current(found):
        return None
    moment = now()
    if moment - found.used_at >= USE_NOTED_EVERY:
        with database.write() as session:
            session.execute(update(WebSession).where(WebSession.id == found.id).values(used_at=moment))
    return found


def is_current(found: WebSession) -> bool:
    """Whether neither the session nor the token that proved it has ended, and the session was not idle too long."""
    moment, token = now(), found.token
    is_proved = token is None or (token.revoked_at is None and moment < token.expires_at)
    return is_proved and moment < found.expires_at and moment < found.used_at + IDLE


def is_recent(found: WebSession) -> bool:
    """Whether the person signed in only a moment ago."""
    return now() < found.created_at + RECENT


def end(database: Database, secret: str) -> None:
    """Ends the session, so that copies of its cookie are worthless."""
    with database.write() as session:
        session.execute(delete(WebSession).where(WebSession.sha256 == sha256_of(secret)))


def list_own(database: Database, user: User) -> list[WebSession]:
    """Returns the person's current sessions, the oldest first."""
    with database.read() as session:
        query = select(WebSession).where(WebSession.user_id == user.id).order_by(WebSession.id)
        return [found for found in session.scalars(query) if is_current(found)]


def end_own(database: Database, user: User, session_id: str) -> None:
    """Ends one of the person's own sessions. Raises NotFound, also for somebody else's."""
    with database.write() as session:
        found = row_with(session, WebSession, session_id)
        if found is None or found.user_id != user.id:
            raise NotFound("You have no such session. GET /me/sessions lists yours.")
        session.delete(found)


def lock_account(session: Session, user_id: str) -> None:
    """Locks the person's row: whoever makes a token or session waits for whoever ends them, and the other way round."""
    hold(session, User.id, user_id, key_share=True)


def sign_out_everywhere(database: Database, user: User, but: str | None = None) -> None:
    """Ends all sessions of the person, and all tokens `but` one, those too that somebody made with a copied cookie."""
    with database.write() as session:
        lock_account(session, user.id)
        end_all(session, user)
        mine = update(Token).where(Token.user_id == user.id, Token.revoked_at.is_(None), Token.id != (but or ""))
        session.execute(mine.values(revoked_at=now()))
        audit.note(session, user, "session.end_all", user.name)


def end_all(session: Session, user: User) -> int:
    """Ends all sessions of the person; returns how many there were."""
    return changed_rows(session, delete(WebSession).where(WebSession.user_id == user.id))


def browser_of(user_agent: str) -> str:
    """Names browser and system from a fixed list, since a User-Agent header may contain anything."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), "A browser")
    system = next((f" on {name}" for sign, name in _SYSTEMS if sign in user_agent), "")
    return browser + system


def _is_over() -> ColumnElement[bool]:
    return or_(WebSession.expires_at <= now(), WebSession.used_at <= now() - IDLE)
