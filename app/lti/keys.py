"""The keys with which we prove to platforms who we are: made when needed, replaced every three months.

A platform keeps what it has read of our key set for a while. So a key is published for a day before it signs anything,
and for as long again as it has signed.
"""

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from joserfc import jwe, jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey, RSAKey
from pydantic import SecretStr
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app import audit
from app.database import Database
from app.lti.schemas import KeySetView, KeyView
from app.models import LtiKey, User, now
from app.operations.service import refuse_all_but_operators

ALGORITHM: Final = "RS256"  # the one that every platform must understand
RENEWED_AFTER: Final = timedelta(days=90)
PUBLISHED_BEFORE: Final = timedelta(days=1)
GONE_AFTER: Final = timedelta(days=180)
BITS: Final = 2048
_SEALED: Final = ["dir", "A256GCM"]


class KeyRing:
    """Our keys, in the database, where they are encrypted with the service's secret key."""

    def __init__(self, database: Database, secret: SecretStr) -> None:
        self._database = database
        digest = hashlib.sha256(b"assay-lti-keys:" + secret.get_secret_value().encode()).digest()
        self._seal = OctKey.import_key(digest)

    def public(self) -> KeySetView:
        """Returns the key set that platforms read. Makes the first key, and the next in time."""
        keys = (self._open(row).as_dict(private=False) for row in self._rows())
        return KeySetView(keys=[KeyView.model_validate(key) for key in keys])

    def sign(self, claims: dict[str, Any]) -> str:
        """Returns a signed JWT of these claims."""
        key = self._signing()
        return jwt.encode({"alg": ALGORITHM, "typ": "JWT", "kid": key.kid}, claims, key, algorithms=[ALGORITHM])

    def replace(self, by: User) -> None:
        """Makes a new key and forgets all others at once: for when one has got into wrong hands. Raises Forbidden."""
        refuse_all_but_operators(by)
        with self._database.write() as session:
            session.execute(delete(LtiKey))
            row = self._make(session)
            audit.note(session, by, "lti.key_replace", row.id)

    def _signing(self) -> RSAKey:
        """The newest that platforms have had a day to read; else the oldest there is."""
        rows = self._rows()
        known = [row for row in rows if row.created_at <= now() - PUBLISHED_BEFORE]
        return self._open(known[0] if known else rows[-1])

    def _rows(self) -> Sequence[LtiKey]:
        """The newest first, and at least one that is not old."""
        with self._database.read() as session:
            rows = self._usable(session)
        if rows and rows[0].created_at > now() - RENEWED_AFTER:
            return rows
        with self._database.write() as session:
            rows = self._usable(session)  # of two processes that come here at once, SQLite lets the second see the key
            if not rows or rows[0].created_at <= now() - RENEWED_AFTER:
                self._make(session)
            session.execute(delete(LtiKey).where(LtiKey.created_at < now() - GONE_AFTER))
            session.flush()
            return self._usable(session)

    def _usable(self, session: Session) -> Sequence[LtiKey]:
        """Those that open with today's secret: with another one, new keys are made."""
        rows = session.scalars(select(LtiKey).order_by(LtiKey.created_at.desc(), LtiKey.id)).all()
        return [row for row in rows if self._opens(row)]

    def _make(self, session: Session) -> LtiKey:
        key = RSAKey.generate_key(BITS, {"use": "sig", "alg": ALGORITHM}, auto_kid=True)
        header = {"alg": "dir", "enc": "A256GCM"}
        sealed = jwe.encrypt_compact(header, key.as_pem(private=True), self._seal, algorithms=_SEALED)
        row = LtiKey(id=key.kid, sealed=sealed)
        session.add(row)
        session.flush()
        return row

    def _open(self, row: LtiKey) -> RSAKey:
        pem = jwe.decrypt_compact(row.sealed, self._seal, algorithms=_SEALED).plaintext
        assert pem is not None
        return RSAKey.import_key(pem, {"kid": row.id, "use": "sig", "alg": ALGORITHM})

    def _opens(self, row: LtiKey) -> bool:
        try:
            jwe.decrypt_compact(row.sealed, self._seal, algorithms=_SEALED)
        except (JoseError, ValueError):
            return False
        return True
