"""The public keys, in the database: the front end tells them, and never sees a private one."""

from sqlalchemy import select

from app.database import Database
from app.models import ReceiptKey
from app.receipts.schemas import KeySet, PublicKey
from app.receipts.signing import Signer


def register(database: Database, signer: Signer) -> None:
    """Publishes this key. Does nothing when it is published already."""
    with database.write() as session:
        if session.get(ReceiptKey, signer.id) is None:
            session.add(ReceiptKey(id=signer.id, public_key=signer.public_key))


def key_set(database: Database) -> KeySet:
    """Returns all keys that were ever used, the newest first."""
    with database.read() as session:
        rows = session.scalars(select(ReceiptKey).order_by(ReceiptKey.first_used_at.desc())).all()
    return KeySet(keys=[PublicKey(kid=row.id, x=row.public_key) for row in rows])
