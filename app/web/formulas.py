"""Formulas as MathML, which browsers draw without a script. Who wrote one may be nobody whom a visitor trusts."""

import html
from typing import Final, Literal
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element
from markupsafe import Markup

CHARACTERS_MAX: Final = 2000  # the library's time grows with the square
_DEFINING: Final = (r"\def", r"\newcommand", r"\newenvironment", r"\DeclareMathOperator")  # a few lines make gigabytes
_NOT_DRAWN: Final = ("href", "style", "class", "id")  # they would name an address, or look like a part of our page


def to_mathml(latex: str, display: Literal["inline", "block"]) -> Markup:
    """Returns the formula as MathML; one that cannot be read, is too long or defines commands, as it was written."""
    if len(latex) > CHARACTERS_MAX or any(word in latex for word in _DEFINING):
        return _as_written(latex)
    try:
        root = convert_to_element(latex, display=display)
        for element in root.iter():
            element.text = html.unescape(element.text or "")  # signs come as references, words as they were written
            for name in _NOT_DRAWN:
                element.attrib.pop(name, None)
        return Markup(ElementTree.tostring(root, encoding="unicode"))  # noqa: S704 - ElementTree escapes all text
    except Exception:  # noqa: BLE001 - the library raises a dozen kinds, which have nothing in common
        return _as_written(latex)


def _as_written(latex: str) -> Markup:
    return Markup("<code>{}</code>").format(latex)
