"""Of what a person wants mail, and the link in a mail that ends them without signing in."""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

from sqlalchemy.orm import Session

from app.database import Database
from app.identifiers import LENGTH
from app.models import Reader, User
from app.news.schemas import MailChoices, NewsKind
from app.news.service import reader_of
from app.problems import NotFound
from app.rows import row_with

SIGNED: Final = 32  # characters of the signature
PURPOSE: Final = b"no more digests"
NO_LINK: Final = "This link is not complete, or not one of ours. Sign in to choose which e-mails you get."


def read(database: Database, user: User) -> MailChoices:
    """Returns of what a person wants no mail."""
    with database.read() as session:
        reader = session.get(Reader, user.id)
        return MailChoices(not_mailed=_known(reader.not_mailed if reader is not None else ()))


def choose(database: Database, user: User, wanted: MailChoices) -> MailChoices:
    """Keeps of what a person wants no mail."""
    with database.write() as session:
        reader_of(session, user).not_mailed = sorted(set(wanted.not_mailed))
    return MailChoices(not_mailed=sorted(set(wanted.not_mailed)))


def is_mailed(not_mailed: Sequence[str] | None) -> bool:
    """Whether somebody wants mail of anything."""
    return not not_mailed or any(kind not in not_mailed for kind in NewsKind)


def mail_secret_of(database: Database, user: User) -> str:
    """Returns what signs the links in a person's mails."""
    with database.read() as session:
        found = session.get(Reader, user.id)
    if found is not None:
        return found.mail_secret
    with database.write() as session:
        return reader_of(session, user).mail_secret


def code_of(user: User, secret: str) -> str:
    """Returns the code of the link that ends a person's mails, for whoever holds one of them."""
    return f"{user.id}{_signature(user.id, secret)}"


def check(database: Database, code: str) -> None:
    """Raises NotFound for a code that is not ours."""
    with database.read() as session:
        _reader(session, code)


def end_mails(database: Database, code: str) -> None:
    """Ends all mails to whoever the code is of; again changes nothing. Raises NotFound."""
    with database.write() as session:
        _reader(session, code).not_mailed = sorted(NewsKind)


def _reader(session: Session, code: str) -> Reader:
    user_id, signature = code[:LENGTH], code[LENGTH:]
    reader = row_with(session, Reader, user_id)
    expected = _signature(user_id, reader.mail_secret if reader is not None else "")
    if reader is None or not hmac.compare_digest(signature.encode(), expected.encode()):
        raise NotFound(NO_LINK)
    return reader


def _signature(user_id: str, secret: str) -> str:
    return hmac.new(secret.encode(), PURPOSE + user_id.encode(), hashlib.sha256).hexdigest()[:SIGNED]


def _known(not_mailed: Sequence[str]) -> list[NewsKind]:
    return [kind for kind in NewsKind if kind in not_mailed]
