"""Signs receipts (a JWS in compact form, RFC 7515, with Ed25519). Only the recorder has the key; judges never do."""

import hashlib
import hmac
import json
import os
import tempfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey

from app.environment import SettingsError
from app.models import Submission
from grader.messages import Graded
from grader.report import Report

ALGORITHM: Final = "Ed25519"
TYPE: Final = "assay-receipt+jws"


class Signer:
    """A private key that signs receipts. `id` is its thumbprint (RFC 7638), `public_key` may be published."""

    def __init__(self, key: OKPKey) -> None:
        self._key = key
        self.id: Final = key.thumbprint()
        self.public_key: Final = str(key.as_dict(private=False)["x"])

    @classmethod
    def at(cls, path: Path) -> "Signer":
        """Loads the key from the file, or creates both. Raises SettingsError when it cannot be used."""
        try:
            if not path.exists():
                _make(path)
            key = OKPKey.import_key(path.read_bytes())
            if key.curve_name != "Ed25519" or not key.is_private:
                raise ValueError("it holds another kind of key")
            return cls(key)
        except (OSError, JoseError, ValueError) as error:
            raise SettingsError(
                f"ASSAY_RECEIPT_KEY_FILE: {path} cannot be used as a key for receipts ({error}). "
                "It must be a private Ed25519 key as PEM; where no file is, one is made."
            ) from error

    def receipt(self, submission: Submission, message: Graded, at: datetime, regrade: str | None = None) -> str:
        """Signs a receipt of the report in `message` and, for a regrade, of which one it came from."""
        claims = _claims(submission, message, at, regrade, self._seal(submission))
        header = {"alg": ALGORITHM, "kid": self.id, "typ": TYPE}
        return jws.serialize_compact(header, claims, self._key, algorithms=[ALGORITHM])

    def _seal(self, submission: Submission) -> str:
        """Binds the service to the seed without telling it: who knows the seed can draw the hidden cases."""
        secret = self._key.as_dict(private=True)["d"]
        text = f"{submission.id}:{submission.seed}"
        return hmac.new(str(secret).encode(), text.encode(), hashlib.sha256).hexdigest()


def _claims(submission: Submission, message: Graded, at: datetime, regrade: str | None, seed_seal: str) -> bytes:
    report = message.report
    claims: dict[str, Any] = {
        "submission": submission.id,
        "student": submission.user.name,
        "attempt": submission.attempt,
        "uploaded_at": submission.created_at.isoformat(),
        "graded_at": at.isoformat(),
        "regrade": regrade,
        "challenge": report.challenge.model_dump(mode="json"),
        "sha256": submission.sha256,
        "seed_seal": seed_seal,
        "verdict": report.verdict,
        "score": report.score,
        "max_score": report.max_score,
        "environment": report.environment.model_dump(mode="json"),
        "packages": message.packages,
        "report_sha256": report_digest(report),
    }
    return json.dumps(claims, separators=(",", ":")).encode()


def report_digest(report: Report) -> str:
    """Returns the digest of the report as it is stored, which staff can see whole."""
    return hashlib.sha256(report.to_json().encode()).hexdigest()


def _make(path: Path) -> None:
    """Only the owner can read it, from its first byte on; of two who make it at once, one wins and both take that."""
    pem = OKPKey.generate_key("Ed25519").as_pem(private=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")  # mkstemp: mode 0600
    with os.fdopen(handle, "wb") as file:
        file.write(pem)
    with suppress(FileExistsError):
        os.link(name, path)
    Path(name).unlink()
