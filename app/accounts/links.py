"""Sign-in links from the command line: each signs one person in once, or lets one person take over a new installation.
Whoever may open the database may make them; nobody else can.
"""

from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, delete, exists, select
from sqlalchemy.orm import Session

from app import audit
from app.accounts.codes import digest_of, new_code
from app.accounts.service import console, user_named
from app.database import Database
from app.models import Role, SignInLink, User, now
from app.problems import Conflict, FieldError, Forbidden

LIFE: Final = timedelta(minutes=30)
FIRST_RUN_LIFE: Final = timedelta(hours=24)
NOT_A_CODE: Final = (
    "This is not the setup code of this installation, or it has expired. Copy it whole from where the service was "
    "started; `assay user link` prints a new one."
)


def is_claimed(database: Database) -> bool:
    """Whether the installation has an operator."""
    with database.read() as session:
        return _is_claimed(session)


def make(database: Database, name: str) -> str:
    """Returns the code of a new link that signs this person in. Raises NotFound."""
    with database.write() as session:
        user = user_named(session, name)
        _forget_old(session)
        audit.note(session, console(), "link.create", user.name)
        return _add(session, user.id, LIFE)


def make_first(database: Database) -> str:
    """Returns the code that opens the first-run page, in place of an earlier one. Raises Conflict when there is an
    operator.
    """
    with database.write() as session:
        if _is_claimed(session):
            raise Conflict("There is an operator already. Name the person whom the link signs in.")
        session.execute(delete(SignInLink).where(SignInLink.user_id.is_(None)))
        return _add(session, None, FIRST_RUN_LIFE)


def first_operator(database: Database) -> str | None:
    """Returns the name of the operator who has been here longest, if there is one."""
    with database.read() as session:
        return session.scalar(select(User.name).where(User.role == Role.OPERATOR).order_by(User.id).limit(1))


def redeem(database: Database, code: str) -> User | None:
    """Uses a link up and returns whom it signs in; None when it is not one."""
    digest = digest_of(code)
    with database.read() as session:
        if session.scalar(select(SignInLink.id).where(*_mine(digest))) is None:
            return None
    with database.write() as session:
        found = session.scalar(select(SignInLink).where(*_mine(digest)).with_for_update())
        if found is None or found.user is None:
            return None
        user = found.user
        session.delete(found)
        audit.note(session, user, "link.use", user.name)
        return user


def claim(session: Session, code: str) -> None:
    """Uses up the code of the first run, in the transaction that makes the operator. Raises Forbidden for a wrong one,
    and when somebody was faster.
    """
    first = select(SignInLink).where(SignInLink.user_id.is_(None)).with_for_update()  # one at a time
    known = {row.sha256 for row in session.scalars(first) if row.expires_at > now()}
    if _is_claimed(session):
        raise Conflict("This installation has been set up already. Sign in instead.")
    if digest_of(code) not in known:
        raise Forbidden(NOT_A_CODE, errors=[FieldError(location="code", message=NOT_A_CODE)])
    session.execute(delete(SignInLink).where(SignInLink.user_id.is_(None)))


def _mine(digest: str) -> tuple[ColumnElement[bool], ...]:
    return (SignInLink.sha256 == digest, SignInLink.user_id.is_not(None), SignInLink.expires_at > now())


def _is_claimed(session: Session) -> bool:
    return bool(session.scalar(select(exists().where(User.role == Role.OPERATOR))))


def _add(session: Session, user_id: str | None, life: timedelta) -> str:
    code = new_code()
    session.add(SignInLink(user_id=user_id, sha256=digest_of(code), expires_at=now() + life))
    return code


def _forget_old(session: Session) -> None:
    session.execute(delete(SignInLink).where(SignInLink.expires_at <= now()))
