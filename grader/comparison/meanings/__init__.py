"""The exceptions that students meet, by the message that torch, einops, NumPy or Python gives, and their meaning."""

from grader.comparison.meanings.dtypes import DTYPES
from grader.comparison.meanings.gradients import GRADIENTS
from grader.comparison.meanings.meaning import LOOKED_AT, Meaning
from grader.comparison.meanings.names import NAMES, OTHERS
from grader.comparison.meanings.sizes import ARRAYS, PATTERNS, SIZES

__all__ = [
    "ARRAYS",
    "DTYPES",
    "GRADIENTS",
    "LOOKED_AT",
    "NAMES",
    "OTHERS",
    "PATTERNS",
    "SIZES",
    "Meaning",
]

# The first that fits is told.
MEANINGS = (*SIZES, *PATTERNS, *DTYPES, *NAMES, *GRADIENTS, *ARRAYS, *OTHERS)
