"""The case families: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: no two axes are equally long.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, StructureCall

FUNCTION = "new_function"
# Shift, exp, sum and division round once each; the rest is room: verify wants right answers at a tenth of what they may.
ROUNDINGS = 32


def _growth(x: Tensor) -> float:
    """How many roundings a right answer may be off by: a logit's own rounding grows with its size."""
    return ROUNDINGS + math.sqrt(x.shape[-1]) + 4 * x.abs().amax().item()


def _case(name: str, title: str, x: Tensor, hint: str = "") -> Case:
    return Case(name, title, Call("", FUNCTION, {"x": x}), growth=_growth(x), hint=hint)


def values(draw: Draw) -> Iterator[Case]:
    """The example of spec.md, and any number of leading axes."""
    yield _case("example", "the example in the exercise", torch.tensor([0.0, math.log(3.0)]))
    axes = "Count axes from the end: the last one is summed over."
    for name, shape in (("row", (5,)), ("rows", (3, 7)), ("batch", (2, 3, 5))):
        yield _case(name, f"an input of shape {shape}", 3 * draw.normal(*shape), axes)


def large_values(draw: Draw) -> Iterator[Case]:
    """exp of 100 overflows in float32; its share of a sum does not. What is taken off is the largest of each row."""
    hint = "exp of a large number overflows. Which number may be taken off?"
    yield _case("offset", "all values above 90", draw.normal(3, 6) + draw.integer(100, 200), hint)
    levels = draw.normal(2, 5) + torch.tensor([[-1], [1]]) * draw.integer(100, 200)
    yield _case("levels", "one row far below zero, one far above", levels, hint)
    outlier = torch.cat([draw.normal(2, 3), torch.full((2, 1), -200.0)], dim=-1)
    yield _case("outlier", "one value far below the others", outlier, hint)


def gradients(draw: Draw) -> Iterator[Case]:
    """Training needs the gradient, in values."""
    x = draw.normal(4, 5)
    call = Call("", FUNCTION, {"x": x}, gradient=draw.normal(4, 5), differentiate=("x",))
    yield Case("x", "the gradient of x", call, growth=4 * _growth(x), aspects=frozenset({Aspect.GRADIENTS}))


def structure(draw: Draw) -> list[StructureCall]:
    """Calls that are watched, not judged: the rules are decided by what these were seen to do."""
    return [StructureCall(Call("", FUNCTION, {"x": draw.normal(3, 5)}))]


def workload(draw: Draw) -> Call:
    """What is timed."""
    return Call("workload", FUNCTION, {"x": draw.normal(64, 1000)})


FAMILIES = {"values": values, "large-values": large_values, "gradients": gradients}
