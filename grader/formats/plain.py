"""Text from a submission, made fit to show: it must not be able to steer a terminal or break an XML file."""

import unicodedata
from typing import Final

_STEERING: Final = frozenset({"Cc", "Cf", "Cs", "Cn"})


def plain(text: str) -> str:
    """Returns the text without control characters, overrides of direction and what is no character at all; lines stay
    lines.
    """
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in _STEERING)
