"""Text from strangers, made harmless to the eye: what could hide or reorder other characters is written out."""

from typing import Final

from markupsafe import Markup, escape

_KEPT: Final = "\n\t"
_CONTROL: Final = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
_REORDERING: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def printable(text: str) -> str:
    """Returns the text with control and reordering characters as escapes, such as \\x1b."""
    return text.translate(_ESCAPES)


def prose(text: str) -> Markup:
    """Returns `printable` text, with what is between backticks as code."""
    parts = printable(text).split("`")
    if len(parts) % 2 == 0:  # an odd number of backticks: whoever wrote them meant something else
        return escape("`".join(parts))
    spans = [Markup("<code>{}</code>").format(part) if index % 2 else escape(part) for index, part in enumerate(parts)]
    return Markup("").join(spans)


def _escaped(char: str) -> str:
    return f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}"


_ESCAPES: Final = {ord(char): _escaped(char) for char in _CONTROL + _REORDERING if char not in _KEPT}
