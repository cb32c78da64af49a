"""Codes that people type or follow once: in invitations and sign-in links. 100 random bits, kept as their SHA-256."""

import secrets
from typing import Final

from app.hashing import sha256_of
from app.identifiers import ALPHABET

LETTERS: Final = 20
GROUP: Final = 5
TYPED_MAX: Final = 200
_MEANT: Final = str.maketrans({"o": "0", "i": "1", "l": "1", "-": None, " ": None})


def new_code() -> str:
    """Returns a new code as people see it: K7QF9-2MPXA-….  No two of its letters look alike."""
    letters = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS)).upper()
    return "-".join(letters[start : start + GROUP] for start in range(0, LETTERS, GROUP))


def digest_of(typed: str) -> str:
    """Returns the SHA-256 of a code, however it was typed: capitals, hyphens and spaces do not matter, and o is 0."""
    meant = typed[:TYPED_MAX].strip().lower().translate(_MEANT)
    return sha256_of(meant)
