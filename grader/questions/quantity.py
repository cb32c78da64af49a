"""Numbers as people type them: "17.2 GB", "17,179,869,184", "1.7 x 10^10", "1/8". Units are converted."""

import math
import re
from dataclasses import dataclass

from pydantic import JsonValue

from grader.questions.units import convert
from grader.questions.view import AnswerFormatError

LONGEST = 100
# For a text whose spaces stand alone: no two repeats that stand side by side can share a sign.
_DIGITS = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?: [0-9]{3})+|[0-9]+(?:_[0-9]+)*)"
_DECIMAL = rf"(?:{_DIGITS}(?:\.[0-9]*)?|\.[0-9]+)"
_POWER = r"(?:e(?P<e>[+-]?[0-9]{1,3})| ?[*x\u00d7\u00b7] ?10 ?(?:\^|\*\*) ?\(?(?P<power>[+-]?[0-9]{1,3})\)?)?"
_QUANTITY = re.compile(
    rf" ?[=≈~]? ?(?P<sign>[+-]?) ?(?P<decimal>{_DECIMAL}){_POWER}"
    rf"(?: ?/ ?(?P<divisor>{_DECIMAL}))? ?(?P<unit>[^\s0-9.,+*/^-][^0-9]*)?",
    re.IGNORECASE,
)
_SEPARATORS = str.maketrans("", "", " ,_")


@dataclass(frozen=True)
class Quantity:
    """A finite number, and the unit that was written after it."""

    value: float
    unit: str | None = None


def parse_quantity(given: JsonValue, unit: str | None) -> Quantity:
    """`unit` is the question's, for the sentence only. Raises AnswerFormatError."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise _not_a_number(unit)
    try:
        quantity = _parse(given) if isinstance(given, str) else Quantity(float(given))
    except (OverflowError, ZeroDivisionError):
        quantity = None
    if quantity is None or not math.isfinite(quantity.value):
        raise _not_a_number(unit)
    return quantity


def _parse(text: str) -> Quantity | None:
    plain = " ".join(text.replace("\N{MINUS SIGN}", "-").split()) if len(text) <= LONGEST else ""
    match = _QUANTITY.fullmatch(plain)
    if match is None:
        return None
    value = float(f"{match['sign']}{_plain(match['decimal'])}e{match['e'] or match['power'] or 0}")
    if match["divisor"]:
        value /= float(_plain(match["divisor"]))
    return Quantity(value, match["unit"].strip() if match["unit"] else None)


def _plain(decimal: str) -> str:
    return decimal.translate(_SEPARATORS)


def _not_a_number(unit: str | None) -> AnswerFormatError:
    after = f", with or without the unit {unit} after it" if unit else ""
    return AnswerFormatError(
        f"Write one number, such as 1234.5, 12,345 or 1.2e4{after}; use a decimal point, not a comma."
    )


def in_unit(quantity: Quantity, unit: str | None, other_names: tuple[str, ...]) -> float:
    """The number in the question's unit; a quantity without a unit is taken to be in it. Raises AnswerFormatError."""
    if quantity.unit is None:
        return quantity.value
    if unit is None:
        raise AnswerFormatError(f"The answer is a number without a unit; remove {quantity.unit[:20]!r}.")
    if quantity.unit.lower() in {name.lower() for name in (unit, *other_names)}:
        return quantity.value
    converted = convert(quantity.value, quantity.unit, unit)
    if converted is not None:
        return converted
    raise AnswerFormatError(f"Give the answer in {unit}; {quantity.unit[:20]!r} is a different kind of unit.")
