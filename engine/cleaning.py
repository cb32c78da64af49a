"""Makes text from elsewhere fit to show: a server or a submission must not be able to steer the reader's terminal."""

import unicodedata
from typing import Final

_KEPT: Final = frozenset("\n\t")
_STEERING: Final = frozenset({"Cc", "Cf", "Cs"})  # control, format (bidirectional overrides), lone surrogates


def clean(text: str) -> str:
    """The text without control characters; lines stay lines."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in unified if c in _KEPT or unicodedata.category(c) not in _STEERING)


def clean_line(text: str) -> str:
    """Returns the text without control characters, on one line."""
    return " ".join(clean(text).split())
