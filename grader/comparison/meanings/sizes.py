"""Exceptions about sizes and axes: of torch, of patterns as einops and einsum have them, and of NumPy."""

import re

from grader.comparison.meanings.meaning import meanings


def _sizes(text: str) -> str:
    """`2, 4, 7` as `(2, 4, 7)`."""
    return f"({text.strip('[]() ')})"


def _multiplied(found: re.Match[str]) -> str:
    columns, rows = found["columns"], found["rows"]
    said = (
        f"A matrix product needs as many columns on the left ({columns}) as rows on the right ({rows}): "
        "check which of the two should be transposed"
    )
    return (
        f"{said}, or is not the matrix you meant. A linear layer says the same when it takes {rows} features and is "
        f"given {columns}."
    )


def _batched(found: re.Match[str]) -> str:
    want, got = ([int(size) for size in found[name].split(",")] for name in ("want", "got"))
    if want[0] == got[0]:
        return (
            f"A matrix product needs as many columns on the left ({want[1]}) as rows on the right ({got[1]}): "
            "check which of the two should be transposed."
        )
    return (
        f"The two batches of matrices being multiplied hold {want[0]} and {got[0]} matrices: these numbers must match."
    )


def _elementwise(found: re.Match[str]) -> str:
    left, right, axis = found["left"], found["right"], int(found["axis"])
    return (
        f"The two tensors being combined have {left} and {right} entries along axis {axis} (from 0): the sizes must "
        "be equal, or one of them must be 1. Print both shapes just before this line."
    )


def _reshaped(found: re.Match[str]) -> str:
    sizes = [int(size) for size in found["shape"].split(",") if size.strip()]
    said = f"There are {found['count']} numbers, and the shape {_sizes(found['shape'])} "
    if -1 in sizes:
        return said + "does not hold that many: one of its sizes is not what you think."
    needed = 1
    for size in sizes:
        needed *= size
    return said + f"holds {needed}: a reshape keeps all the numbers, so one of these sizes is not what you think."


def _einops_axes(found: re.Match[str]) -> str:
    want, got = int(found["want"]), int(found["got"])
    said = f"The pattern names {want} axes, and the tensor has {got}."
    leading = " Write `...` for the leading axes: there may be any number of them, or none."
    return said + leading


def _unpacked(found: re.Match[str]) -> str:
    del found
    return (
        "The number of values does not match the number of names. If you are unpacking a shape: the number of axes is "
        "not fixed, so index the last ones from the end."
    )


SIZES = meanings(
    (
        "view size is not compatible",
        "`view` only works if the numbers are already in that order in memory, and after a transpose "
        "they are not. You need something here that can copy them.",
    ),
    (
        r"shapes cannot be multiplied \(\d+x(?P<columns>\d+) and (?P<rows>\d+)x\d+\)",
        _multiplied,
    ),
    (
        r"first two dimensions of batch2 tensor to be: \[(?P<want>\d+, \d+)\] but got: \[(?P<got>\d+, \d+)\]",
        _batched,
    ),
    (
        r"size mismatch, got input \(\d+\), mat \(\d+x(?P<columns>\d+)\), vec \((?P<rows>\d+)\)",
        _multiplied,
    ),
    (
        r"size of tensor a \((?P<left>\d+)\) must match the size of tensor b \((?P<right>\d+)\) at "
        r"non-singleton dimension (?P<axis>\d+)",
        _elementwise,
    ),
    (
        r"shape '\[(?P<shape>-?\d+(?:, ?-?\d+)*),?\]' is invalid for input of size (?P<count>\d+)",
        _reshaped,
    ),
    (
        r"unflatten: Provided sizes (\[[-\d, ]+\]) don't multiply up to the size of dim \d+ \((\d+)\)",
        r"An axis of \2 entries cannot be divided into \1: one of these sizes is not what you think.",
    ),
    (
        r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\) at non-singleton "
        r"dimension (\d+)",
        r"\2 entries along axis \3 (from 0) cannot fill the \1 that are needed there.",
    ),
    (
        r"number of sizes provided \((\d+)\) must be greater or equal to the number of dimensions in the "
        r"tensor \((\d+)\)",
        r"`expand` was given \1 sizes for a tensor of \2 axes: it needs one for each axis, including "
        r"the leading ones.",
    ),
    (
        r"output with shape \[([\d, ]*)\] doesn't match the broadcast shape \[([\d, ]*)\]",
        r"The result has shape (\2) and does not fit into the tensor of shape (\1) that it is written "
        r"into.",
    ),
    (
        r"Sizes of tensors must match except in dimension (\d+)\. Expected size (\d+) but got size (\d+)",
        r"Tensors that are joined along axis \1 must match in every other axis; here there are \2 and \3 "
        r"entries.",
    ),
    (
        r"same number of dimensions: got (\d+) and (\d+)|stack expects each tensor to be equal size",
        "The tensors being joined here do not have the same shape: print their shapes just before this line.",
    ),
    (
        r"number of dimensions in the tensor input does not match the length of the desired "
        r"ordering.*input\.dim\(\) = (\d+) is not equal to len\(dims\) = (\d+)",
        r"`permute` was given \2 axes, and the tensor has \1. The number of leading axes is not fixed: "
        r"swapping two axes counted from the end works for any number.",
    ),
    (
        r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)",
        r"There is no axis \3 here: this tensor's axes go from \1 to \2. Negative numbers count axes from "
        r"the end and work whatever the number of leading axes.",
    ),
    (
        r"too many indices for tensor of dimension (\d+)",
        r"This tensor has only \1 axes: `...` stands for the leading ones, however many there are.",
    ),
    (
        r"index (-?\d+) is out of bounds for dimension \d+ with size (\d+)",
        r"Index \1 is beyond an axis with \2 entries: a table is too short, or something is used as an index "
        r"that is not one.",
    ),
    (
        "index out of range in self",
        "An index is beyond the end of a table: the table is shorter than the largest index requires.",
    ),
    (
        "(tuple|list) index out of range",
        r"The \1 is shorter than this index. If it is a shape: the number of axes is not fixed, so count from "
        r"the end.",
    ),
    (
        "(too many|not enough) values to unpack",
        _unpacked,
    ),
    (
        "Tensor must have a last dimension of size 2",
        "Complex numbers are made from pairs: the last axis must have exactly two entries, so pair them up first.",
    ),
)
PATTERNS = meanings(
    (
        r"expected (?P<want>\d+) dims\. Received (?P<got>\d+)-dim tensor",
        _einops_axes,
    ),
    (
        r"can't divide axis of length (\d+) in chunks of (\d+)",
        r"The axis that you divide has \1 entries, and \1 is not a multiple of \2: this may not be the axis "
        r"you mean.",
    ),
    (
        r"Identifiers only on one side of expression[^:]*: (\{[^}]*\})",
        r"\1 is on only one side of the arrow: every axis must appear on both sides of the pattern.",
    ),
    (
        r"number of subscripts in the equation \((\d+)\) does not match the number of dimensions \((\d+)\) "
        r"for operand",
        r"The pattern names \1 axes for a tensor that has \2. Write `...` for the leading axes: there may be "
        r"any number of them.",
    ),
    (
        r"subscript \w+ has size (\d+) for operand \d+ which does not broadcast with previously seen size "
        r"(\d+)",
        r"The same letter stands for an axis of \2 entries in one tensor and of \1 in another: one of the "
        r"patterns does not name the axes in the right order.",
    ),
)
ARRAYS = meanings(
    (
        r"operands could not be broadcast together with shapes (\([\d, ]*\)) (\([\d, ]*\))",
        r"Arrays of shapes \1 and \2 are combined elementwise: compared from the end, sizes must be equal, or "
        r"one of them must be 1.",
    ),
    (
        r"mismatch in its core dimension.*\(size (?P<rows>\d+) is different from (?P<columns>\d+)\)",
        _multiplied,
    ),
    (
        r"shapes (?:\S+) and (?:\S+) not aligned: (?P<columns>\d+) \(dim \d+\) != (?P<rows>\d+)",
        _multiplied,
    ),
    (
        "Inner dimensions must match",
        "A matrix product needs as many columns on the left as rows on the right: check which of the two "
        "should be transposed.",
    ),
    (
        r"cannot reshape array of size (?P<count>\d+) into shape \((?P<shape>-?\d+(?:, ?-?\d+)*),?\)",
        _reshaped,
    ),
    (
        r"axes don't match array|axis \d+ is out of bounds for array of dimension (\d+)",
        "The array has fewer axes than this line expects: print its shape just before it, and count axes from the end.",
    ),
)
