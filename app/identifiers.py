"""Identifiers of rows: 26 letters and digits that sort by time of birth, so that one column is both key and cursor.

And slugs: the names that people give to what stands in an address.
"""

import re
import secrets
import time
from datetime import datetime
from typing import Final

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
LENGTH: Final = 26
SLUG_PATTERN: Final = "^[a-z0-9][a-z0-9-]{0,62}$"
CHALLENGE_PATTERN: Final = rf"^([a-z][a-z0-9-]{{0,23}}\.)?{SLUG_PATTERN[1:]}"  # its repository's namespace first
# They stand where a slug could, or may one day: in addresses, and in `assay export autograder`.
RESERVED: Final = frozenset({"autograder", "edit", "new", "preview", "regrades"})
_SLUG: Final = re.compile(SLUG_PATTERN)


def new_id() -> str:
    """Returns a new id. Ids sort by the time of their creation."""
    return _id(time.time_ns() // 1_000_000)


def id_at(moment: datetime) -> str:
    """Returns an id that sorts as if it had been created at that moment."""
    return _id(int(moment.timestamp() * 1000))


def _id(milliseconds: int) -> str:
    """48 bits of milliseconds, then 80 random bits (the layout of a ULID)."""
    number = (milliseconds << 80) | secrets.randbits(80)
    return "".join(ALPHABET[(number >> shift) & 31] for shift in range(5 * (LENGTH - 1), -1, -5))


def is_id(text: str) -> bool:
    """Whether `text` has the form of an id; what has not is never looked up."""
    return len(text) == LENGTH and all(char in ALPHABET for char in text)


def is_slug(text: str) -> bool:
    """Whether `text` could name a course or an assignment."""
    return _SLUG.fullmatch(text) is not None


def is_free_slug(text: str) -> bool:
    """Whether a new course or assignment may have this slug: it must not clash with our own addresses."""
    return is_slug(text) and text not in RESERVED
