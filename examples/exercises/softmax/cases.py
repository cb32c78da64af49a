"""The case families of softmax: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: no two axes are equally long, unless that is what is probed.
"""

import math
from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, Flaw, Gives, GradMode, Hint, StructureCall

FUNCTION = "softmax"
# Shift, exp, sum and division round once each. The rest is room: verify wants right answers to stay at a tenth of what
# they may be off by.
ROUNDINGS = 10
MINUS_INFINITY = -math.inf


def _growth(x: Tensor) -> float:
    """How many float32 roundings a right answer may be off by: those of x's own dtype where it is coarser, of a sum of
    n numbers, and of a logarithm of the sum that is as large as the largest number of x.
    """
    coarseness = max(torch.finfo(x.dtype).eps / torch.finfo(torch.float32).eps, 1)
    finite = x[x.isfinite()].double().abs()
    return coarseness * ROUNDINGS + math.sqrt(max(x.shape)) + 8 * finite.amax().item()


def _call(x: Tensor, dim: int, **how: object) -> Call:
    return Call("", FUNCTION, {"x": x, "dim": dim}, **how)


def _case(name: str, title: str, x: Tensor, dim: int, hint: str = "", **how: object) -> Case:
    return Case(name, title, _call(x, dim), growth=_growth(x), hint=hint, **how)


def _gradient_case(name: str, title: str, x: Tensor, dim: int, gradient: Tensor, hint: str = "") -> Case:
    """The gradients of a row cancel: they are differences of numbers as large as `gradient`."""
    call = _call(x, dim, gradient=gradient, differentiate=("x",))
    return Case(
        name,
        title,
        call,
        growth=4 * _growth(x),
        scale=gradient.double().abs().amax().item(),
        aspects=frozenset({Aspect.GRADIENTS}),
        hint=hint,
    )


def values(draw: Draw) -> Iterator[Case]:
    """The example of spec.md, rows of several lengths, and a long one in half precision."""
    yield _case("row", "five numbers", 2 * draw.normal(5), 0)
    yield _case("example", "the example in the exercise", torch.tensor([0.0, math.log(3.0)]), 0)
    yield _case("rows", "a matrix, along its last axis", 2 * draw.normal(4, 7), -1)
    yield _case("one", "rows of one number", draw.normal(3, 1), -1, "A single number gets all of the share.")
    yield _case("long", "a row of 1,000 numbers", draw.normal(1000), -1)
    stalls = Hint("In half precision a long sum stops growing: add in float32.", Flaw.VALUES)
    alike = (0.1 * draw.normal(1500)).bfloat16()
    yield _case("bfloat16-long", "bfloat16, a row of 1,500 numbers", alike, -1, stalls)


def dim(draw: Draw) -> Iterator[Case]:
    """The axis is the caller's choice."""
    hint = "The maximum and the sum run along `dim`; every other axis stays as it is."
    for place in (0, 1, 2, -1, -2, -3):
        yield _case(f"three-{place}", f"shape (2, 3, 4), dim = {place}", 2 * draw.normal(2, 3, 4), place, hint)
    for place in (1, -2):
        yield _case(f"four-{place}", f"shape (2, 3, 5, 4), dim = {place}", 2 * draw.normal(2, 3, 5, 4), place, hint)
    for place in (0, 1):
        yield _case(f"square-{place}", f"shape (4, 4), dim = {place}", 2 * draw.normal(4, 4), place, hint)
    yield _case("cube", "shape (3, 3, 3), dim = 1", 2 * draw.normal(3, 3, 3), 1, hint)


def large_values(draw: Draw) -> Iterator[Case]:
    """exp overflows early, and underflows as early. What is subtracted is the maximum of each row."""
    hint = Hint("exp of a large number is infinite. What may be subtracted?", Flaw.VALUES, Flaw.NOT_FINITE)
    yield _case("high", "all numbers near 1000", draw.normal(3, 6) + 1000, 1, hint)
    low = Hint("exp of -1000 is zero. What may be subtracted?", Flaw.VALUES, Flaw.NOT_FINITE)
    yield _case("low", "all numbers near -1000", draw.normal(3, 6) - 1000, 1, low)
    own = Hint("Subtract from each row its own maximum.", Flaw.VALUES, Flaw.NOT_FINITE)
    for name, place, shape in (("rows", 1, (3, 5)), ("columns", 0, (5, 3))):
        levels = torch.tensor([-400.0, 0.0, 400.0]).unsqueeze(place)
        yield _case(f"levels-{name}", f"{name} on different levels", draw.normal(*shape) + levels, place, own)
    apart = torch.cat([draw.normal(2, 3), torch.full((2, 2), -300.0)], dim=-1)
    yield _case("low-outliers", "two numbers far below the others", apart, -1, own)
    apart = torch.cat([draw.normal(2, 3), torch.full((2, 1), 300.0)], dim=-1)
    yield _case("high-outlier", "one number far above the others", apart, -1, own)
    half = (draw.normal(3, 5) + 14).half()
    yield _case("float16", "float16, all numbers near 14", half, -1, "In float16, exp of 12 is infinite already.")


def _masked(draw: Draw, *shape: int) -> Tensor:
    """Minus infinity in the first row's second place, and in all but the last place of the second row."""
    x = 2 * draw.normal(*shape)
    x[0, 1] = MINUS_INFINITY
    x[1, :-1] = MINUS_INFINITY
    return x


def _shares_where(hidden: Tensor, shares: Tensor) -> list[float]:
    """All different ones."""
    return shares[hidden].unique().tolist()


def minus_infinity(draw: Draw) -> Iterator[Case]:
    """What a mask puts where nobody may look."""
    hint = "exp of minus infinity is 0, once a finite maximum has been subtracted from it."
    yield _case("some", "minus infinity in some places", _masked(draw, 3, 5), -1, hint)
    yield _case("columns", "the same, along the first axis", _masked(draw, 3, 5).T.contiguous(), 0, hint)
    yield _case("level", "minus infinity among numbers near 500", _masked(draw, 3, 5) + 500, -1, hint)
    yield _case("below", "minus infinity among numbers near -500", _masked(draw, 3, 5) - 500, -1, hint)
    for dtype in (torch.float32, torch.bfloat16):
        x = _masked(draw, 3, 5).to(dtype)
        kind = str(dtype).removeprefix("torch.")
        call = _call(x, -1, gives=Gives.VALUES)
        shares = partial(_shares_where, x == MINUS_INFINITY)
        title = f"the shares of minus infinity, {kind}"
        yield Case(f"exact-{kind}", title, call, statistic=shares, hint="Their share is exactly 0.", what="shares")
    zero = "An entry of minus infinity has no influence: its gradient is 0."
    yield _gradient_case(
        "gradient", "the gradient where some are minus infinity", _masked(draw, 3, 5), -1, draw.normal(3, 5), zero
    )


def gradients(draw: Draw) -> Iterator[Case]:
    """Training needs the gradient, in values: each share depends on all numbers of its row."""
    hint = "Each share depends on every number of its row."
    for name, shape, place in (("last", (4, 5), -1), ("first", (4, 5), 0), ("middle", (2, 4, 3), 1)):
        title = f"the gradient of x of shape {shape}, dim = {place}"
        yield _gradient_case(name, title, draw.normal(*shape), place, draw.normal(*shape), hint)
    far = torch.cat([draw.normal(3, 3), torch.full((3, 1), -200.0)], dim=-1)
    yield _gradient_case(
        "underflow",
        "the gradient where one share is too small for float32",
        far,
        -1,
        draw.normal(3, 4),
        "A share of 0 has the gradient 0.",
    )


def contract(draw: Draw) -> Iterator[Case]:
    """Arguments belong to the caller, who may put other values into them: nothing of a call is remembered."""
    x = draw.normal(3, 4)
    aspects = frozenset({Aspect.ARGUMENTS})
    yield Case(
        "unchanged", "x does not change", _call(x, -1, return_arguments=True), growth=_growth(x), aspects=aspects
    )
    for mode in GradMode:
        for name, reused in (("first", ()), ("rewritten", ("x",))):
            title = "new values in the tensor of the previous call" if reused else "a call that is followed by another"
            title += {GradMode.NO_GRAD: ", under no_grad", GradMode.INFERENCE: ", under inference_mode"}.get(mode, "")
            x = 2 * draw.normal(4, 3)
            yield Case(f"{name}-{mode}", title, _call(x, 0, grad_mode=mode, reused=reused), growth=_growth(x))


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged: this shows whether the library does the work."""
    return [
        StructureCall(_call(draw.normal(3, 5), -1)),
        StructureCall(_call(draw.normal(3, 5), 0, grad_mode=GradMode.NO_GRAD), kind="no_grad"),
        StructureCall(_call(draw.normal(2, 3, 5).half(), 1), kind="float16"),
    ]


def workload(draw: Draw) -> Call:
    """What is timed."""
    return Call("workload", FUNCTION, {"x": draw.normal(16, 64, 256), "dim": -1})


def example(draw: Draw, shape: tuple[int, ...], dim: int, offset: int = 0) -> Call:
    """What a student may try by hand."""
    return _call(draw.normal(*shape) + offset, dim)


EXAMPLE_SIZES = (
    {"shape": (2,), "dim": 0},
    {"shape": (2, 2), "dim": 1},
    {"shape": (2, 2), "dim": 0},
    {"shape": (2,), "dim": 0, "offset": 200},
    {"shape": (2,), "dim": 0, "offset": -200},
    {"shape": (2, 3), "dim": -2},
    {"shape": (1, 2, 2), "dim": 1},
)

FAMILIES = {
    "values": values,
    "dim": dim,
    "large-values": large_values,
    "minus-infinity": minus_infinity,
    "gradients": gradients,
    "contract": contract,
}
