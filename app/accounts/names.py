"""What people may be called, and when two names or two addresses are one. Knows no database."""

import re
import unicodedata
from typing import Final

EMAIL_MAX: Final = 254
NOT_A_NAME: Final = "cannot be a name. Use up to 100 letters, digits, spaces and . _ @ + -; no dot first or last"
_NAME: Final = re.compile(r"[\w@+-](?:[\w.@+ -]{0,98}[\w@+-])?")
_EMAIL: Final = re.compile(r"[^\s@<>\",;]+@[^\s@<>\",;.]+(?:\.[^\s@<>\",;.]+)+")
_INVISIBLE_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0")  # Unicode counts these as letters, and shows nothing


def is_name(text: str) -> bool:
    """Whether a person can be called that. A name is also a folder in an archive and a part of an address: nothing in
    it is invisible, separates paths, or is written in two ways.
    """
    return (
        _NAME.fullmatch(text) is not None
        and "  " not in text
        and not _INVISIBLE_LETTERS & set(text)
        and unicodedata.normalize("NFKC", text) == text
    )


def name_key(name: str) -> str:
    """The same for names that differ in capitals or in how their characters are encoded."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def is_line(text: str) -> bool:
    """Whether a full name or a title can be shown: no control, direction or invisible formatting character in it."""
    return text.isprintable() and not _INVISIBLE_LETTERS & set(text)


def is_email(text: str) -> bool:
    return len(text) <= EMAIL_MAX and text.isprintable() and _EMAIL.fullmatch(text) is not None


def address_key(email: str) -> str:
    """The same for addresses that differ in ASCII capitals. Beyond ASCII nothing is folded: the Kelvin sign is not a k,
    and whoever owns an address with it must not be taken for whoever owns the other.
    """
    return email.lower() if email.isascii() else email
