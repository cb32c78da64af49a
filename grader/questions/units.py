"""Units that answers may be given in, and what they are of each other. Capitals do not matter: nobody means a
millibyte.
"""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pint import Unit, UnitRegistry

# Ours alone: pint's own book knows 17 GB as gilberts, and 17 gib not at all.
DEFINITIONS = (
    "kilo- = 1e3 = k-",
    "mega- = 1e6 = m-",
    "giga- = 1e9 = g-",
    "tera- = 1e12 = t-",
    "kibi- = 2**10 = ki-",
    "mebi- = 2**20 = mi-",
    "gibi- = 2**30 = gi-",
    "tebi- = 2**40 = ti-",
    "byte = [information] = b",
    "radian = [angle] = rad",
    "degree = 3.141592653589793 / 180 * radian = deg",
    "second = [time] = sec",
    "millisecond = 1e-3 * second = ms",
    "microsecond = 1e-6 * second = us = µs",
    "flop = [work]",
)
# How people write those in which they most often give the right number by mistake.
USUAL = ("B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "radians", "degrees", "s", "ms", "µs")


@cache
def _registry() -> "UnitRegistry[float]":
    from pint import UnitRegistry  # noqa: PLC0415  a third of a second, and numpy, where that is installed

    registry: UnitRegistry[float] = UnitRegistry(None)
    registry.load_definitions(list(DEFINITIONS))
    return registry


@lru_cache(maxsize=512)
def unit_of(name: str) -> "Unit | None":
    """Finds a unit by its name. None for what is no unit: "heads", "weights"."""
    from pint import UndefinedUnitError  # noqa: PLC0415

    word = name.strip().lower().replace("μ", "µ")
    if not re.fullmatch(r"[a-zµ]{1,20}", word):
        return None
    try:
        return _registry().parse_units("second" if word == "s" else word)
    except UndefinedUnitError:
        return None


def convert(value: float, written: str, wanted: str) -> float | None:
    """Converts a value to another unit. None where one is not the other in any way."""
    here, there = unit_of(written), unit_of(wanted)
    if here is None or there is None or not here.is_compatible_with(there):
        return None
    return float(_registry().Quantity(value, here).m_as(there))
