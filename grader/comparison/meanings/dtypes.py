"""Exceptions about dtypes: float32 and float64, integers and floating point numbers, masks."""

import re

from grader.comparison.meanings.meaning import meanings


def _dtypes(found: re.Match[str]) -> str:
    names = {name.lower().replace(" int", "") for name in found.groups()}
    if names <= {"float", "double"}:
        return (
            "A float32 and a float64 tensor are combined here, and torch does not mix them: create your own tensors "
            "(a table, a mask) in the dtype of the input."
        )
    if "long" in names or "int" in names:
        return (
            "Integers and floating-point numbers are combined here: convert positions and ranges to floating point "
            "first."
        )
    return (
        f"Tensors of two dtypes are combined here ({' and '.join(sorted(names))}): convert them to the input's dtype."
    )


OF_TWO = (
    r"expected scalar type (\w+) but found (\w+)",
    r"expected m1 and m2 to have the same dtype, but got: ([\w ]+) != ([\w ]+)",
    r"must have the same dtype, but got (\w+) and (\w+)",
    r"to have same dtype, but found (\w+) and (\w+)",
    r"Expected object of scalar type (\w+) but got scalar type (\w+)",
)
DTYPES = meanings(
    *((pattern, _dtypes) for pattern in OF_TWO),
    (
        "not implemented for '(Long|Int|Bool)'|could not infer output dtype|can't be cast to the desired "
        "output type Long",
        "These are integers, but the operation needs floating-point numbers: a range, such as the positions, "
        "contains integers until you convert it.",
    ),
    (
        "tensors used as indices must be long",
        "An index must be an integer, but this tensor holds floating-point numbers.",
    ),
    (
        "type must be tuple of ints, ?but got float|must be tuple of ints, not float|'float' object cannot "
        "be interpreted as an integer",
        "A size must be an integer, but `/` gives a float even when the division is exact: use `//`.",
    ),
    (
        "type must be tuple of ints, ?but got tuple",
        "One of these sizes is a tuple, not a number: look for a stray comma at the end of the line that sets it.",
    ),
    (
        "not compiled with CUDA|No CUDA GPUs are available|Found no NVIDIA driver",
        "There is no GPU here: leave out `.cuda()`, and make new tensors on the device of the input (`x.device`).",
    ),
    (
        r"only supports boolean masks|expected condition to be a boolean tensor|operator\.invert\) is only "
        r"implemented",
        "The mask must be boolean here, but this tensor holds numbers.",
    ),
)
