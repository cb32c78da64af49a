"""What people may be called, and when two names or two addresses are one. Knows no database."""

import re
import unicodedata
from typing import Final

EMAIL_MAX: Final = 254
NOT_A_NAME: Final = (
    "cannot be a name. Use up to 100 letters, digits, spaces and . _ @ + -. A name does not begin or end with a dot, "
    "mix Latin letters with Greek or Cyrillic ones in a word, or say console or erased"
)
# The audit log calls the command line so, and erasing calls people so.
CONSOLE: Final = "console"
ERASED: Final = "erased"
_NAME: Final = re.compile(r"[\w@+-](?:[\w.@+ -]{0,98}[\w@+-])?")
_WORD: Final = re.compile(r"\w+")
_ALIKE: Final = ("LATIN ", "GREEK ", "CYRILLIC ")
_EMAIL: Final = re.compile(r"[^\s@<>\",;]+@[^\s@<>\",;.]+(?:\.[^\s@<>\",;.]+)+")
_INVISIBLE_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0")  # Unicode counts these as letters, and shows nothing


def is_name(text: str) -> bool:
    """Whether the text can be a person's name. A name is also a folder in an archive and a part of an address: nothing
    in it is invisible, separates paths, or is written in two ways.
    """
    return (
        _NAME.fullmatch(text) is not None
        and "  " not in text
        and not _INVISIBLE_LETTERS & set(text)
        and unicodedata.normalize("NFKC", text) == text
        and not _is_reserved(name_key(text))
        and all(len(_alphabets(word)) < 2 for word in _WORD.findall(text))
    )


def _is_reserved(key: str) -> bool:
    return key in (CONSOLE, ERASED) or key.startswith(f"{ERASED}-")


def _alphabets(word: str) -> set[str]:
    """Which of those that have letters alike. A name wholly in another alphabet is one that its people read."""
    return {alphabet for letter in word for alphabet in _ALIKE if unicodedata.name(letter, "").startswith(alphabet)}


def name_key(name: str) -> str:
    """Returns a key that is equal for names that differ only in capitals or in how their characters are encoded."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def is_line(text: str) -> bool:
    """Whether the text can be shown as a full name or title: it has no control, direction or invisible characters."""
    return text.isprintable() and not _INVISIBLE_LETTERS & set(text)


def is_email(text: str) -> bool:
    """Whether the text is an e-mail address of acceptable length."""
    return len(text) <= EMAIL_MAX and text.isprintable() and _EMAIL.fullmatch(text) is not None


def address_key(email: str) -> str:
    """Returns a key that is equal for addresses that differ only in ASCII capitals. Beyond ASCII nothing is folded: the
    Kelvin sign is not a k, and the owner of an address with it must not be taken for the owner of the other.
    """
    return email.lower() if email.isascii() else email
