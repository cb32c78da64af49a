"""Exceptions about dtypes: float32 and float64, integers and floating point numbers, masks."""

import re

from grader.comparison.meanings.meaning import meanings


def _dtypes(found: re.Match[str]) -> str:
    names = {name.lower().replace(" int", "") for name in found.groups()}
    if names <= {"float", "double"}:
        return (
            "A float32 and a float64 tensor meet here, and torch does not mix them: make what you create yourself "
            "(a table, a mask) in the dtype of the input."
        )
    if "long" in names or "int" in names:
        return "Integers and floating point numbers meet here: positions and ranges must become floating point first."
    return f"Tensors of two dtypes meet here ({' and '.join(sorted(names))}): bring them to the input's dtype."


DTYPES = meanings(
    (
        r"expected scalar type (\w+) but found (\w+)",
        _dtypes,
    ),
    (
        r"expected m1 and m2 to have the same dtype, but got: ([\w ]+) != ([\w ]+)",
        _dtypes,
    ),
    (
        r"must have the same dtype, but got (\w+) and (\w+)",
        _dtypes,
    ),
    (
        r"to have same dtype, but found (\w+) and (\w+)",
        _dtypes,
    ),
    (
        r"Expected object of scalar type (\w+) but got scalar type (\w+)",
        _dtypes,
    ),
    (
        "not implemented for '(Long|Int|Bool)'|could not infer output dtype|can't be cast to the desired "
        "output type Long",
        "These are integers, and the operation needs floating point numbers: a range such as the positions "
        "is made of integers until it is converted.",
    ),
    (
        "tensors used as indices must be long",
        "An index must be an integer, and this tensor holds floating point numbers.",
    ),
    (
        "type must be tuple of ints, ?but got float|must be tuple of ints, not float|'float' object cannot "
        "be interpreted as an integer",
        "A size must be an integer, and `/` gives a float even where the division leaves no rest.",
    ),
    (
        r"only supports boolean masks|expected condition to be a boolean tensor|operator\.invert\) is only "
        r"implemented",
        "A mask must be boolean here, and this tensor holds numbers.",
    ),
)
