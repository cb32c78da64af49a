"""The case families of rmsnorm: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: no two axes are equally long, unless that is what is probed.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from grader.execution import Call
from grader.flaw import Flaw
from grader.paper import Aspect, Case, Draw, Hint

FUNCTION = "rmsnorm"
# Square, mean, eps, root, division and weight round once each, and the dtype's own rounding comes last. The rest is
# room: verify wants right answers to stay at a tenth of what they may be off by.
ROUNDINGS = 16


def _growth(x: Tensor) -> float:
    """How many float32 roundings a right answer may be off by: those of x's own dtype where it is coarser, and of a
    sum of d_model squares.
    """
    coarseness = max(torch.finfo(x.dtype).eps / torch.finfo(torch.float32).eps, 1)
    return coarseness * (ROUNDINGS + math.sqrt(x.shape[-1]))


def _arguments(
    draw: Draw, *shape: int, eps: float | None = None, size: float = 1.0, dtype: torch.dtype = torch.float32
) -> dict:
    """In the contract's order. The rows differ in size, and none is centred: mean and spread are no substitutes."""
    sizes = size * (1 + draw.normal(*shape[:-1], 1).abs())
    x = sizes * (draw.normal(*shape) + draw.choice([-0.7, 0.7]))
    arguments = {"x": x.to(dtype), "weight": (draw.normal(shape[-1]) + 0.3).to(dtype)}
    return arguments if eps is None else arguments | {"eps": eps}


def _case(name: str, title: str, arguments: dict, hint: str = "", **how: object) -> Case:
    return Case(name, title, Call("", FUNCTION, arguments), growth=_growth(arguments["x"]), hint=hint, **how)


def values(draw: Draw) -> Iterator[Case]:
    """The example of spec.md, and vectors of several lengths."""
    example = {"x": torch.tensor([[3.0, 4.0]]), "weight": torch.tensor([1.0, 2.0]), "eps": 0.0}
    yield _case("example", "the example of spec.md", example)
    for d_model in (4, 16, 48):
        yield _case(f"width-{d_model}", f"d_model = {d_model}", _arguments(draw, 3, 5, d_model))
    ones = _arguments(draw, 3, 7) | {"weight": torch.ones(7)}
    yield _case("ones", "a weight of ones", ones)


def axes(draw: Draw) -> Iterator[Case]:
    """Every vector is normalised by itself, wherever the last axis is."""
    hint = "Each vector of the last axis has a root mean square of its own, whatever axes stand before it."
    for name, shape, title in (
        ("none", (6,), "one vector: (d_model,)"),
        ("one", (5, 6), "(seq, d_model)"),
        ("three", (2, 3, 5, 6), "three leading axes"),
        ("square", (6, 6), "as many vectors as features"),
        ("single", (1, 1, 8), "a batch of one token"),
        ("cube", (4, 4, 4), "all axes equally long"),
    ):
        yield _case(name, title, _arguments(draw, *shape), hint)


def eps(draw: Draw) -> Iterator[Case]:
    """eps is an argument with a default, and stands under the root: only small vectors tell."""
    left_out = "eps is 1e-5 when it is left out."
    yield _case("left-out", "eps left out, small values", _arguments(draw, 4, 6, size=2e-3), left_out)
    inside = "eps is added to the mean of the squares, before the root."
    yield _case("large", "eps = 0.3", _arguments(draw, 4, 6, eps=0.3), inside)
    yield _case(
        "small-values", "eps = 0.01, values of the same size", _arguments(draw, 4, 6, eps=0.01, size=0.05), inside
    )
    yield _case("none", "eps = 0", _arguments(draw, 4, 6, eps=0.0, size=1e-3), "Use the eps that you are given.")
    zeros = _arguments(draw, 3, 5) | {"x": torch.zeros(3, 5)}
    zeros["x"][1] = draw.normal(5)
    yield _case("zeros", "vectors of zeros", zeros, "A vector of zeros stays one: nothing may become NaN.")


def precision(draw: Draw) -> Iterator[Case]:
    """The result has x's dtype; on the way there, squares of half-precision numbers need more room."""
    dtype_hint = Hint("The result has the dtype of x.", Flaw.DTYPE)
    yield _case("float64", "float64 in, float64 out", _arguments(draw, 3, 6, dtype=torch.float64), dtype_hint)
    overflow = Hint(
        "In float16 the square of 300 is infinite: square and average in float32.", Flaw.VALUES, Flaw.NOT_FINITE
    )
    large = _arguments(draw, 3, 32, size=300, dtype=torch.float16)
    yield _case("float16-large", "float16, values of several hundred", large, overflow)
    half = _arguments(draw, 3, 32, dtype=torch.float16)
    yield _case("float16", "float16 in, float16 out", half, dtype_hint)
    brain = _arguments(draw, 3, 32, dtype=torch.bfloat16)
    yield _case("bfloat16", "bfloat16 in, bfloat16 out", brain, dtype_hint)
    yield _case("large", "values of ten thousand", _arguments(draw, 3, 6, size=1e4))
    yield _case("wide", "d_model = 1024", _arguments(draw, 3, 1024))


def gradients(draw: Draw) -> Iterator[Case]:
    """Training needs both gradients, in values: the root mean square depends on x too."""
    for name, shape in (("vector", (7,)), ("batch", (2, 5, 6))):
        for argument in ("x", "weight"):
            arguments = _arguments(draw, *shape, eps=0.1)
            call = Call("", FUNCTION, arguments, gradient=draw.normal(*shape), differentiate=(argument,))
            title = f"the gradient of {argument}, x of shape {shape}"
            growth = 4 * _growth(arguments["x"])  # the backward pass goes through every step twice
            yield Case(f"{argument}-{name}", title, call, growth=growth, aspects=frozenset({Aspect.GRADIENTS}))


def contract(draw: Draw) -> Iterator[Case]:
    """Arguments belong to the caller, and may lie anywhere in memory."""
    arguments = _arguments(draw, 3, 6, eps=0.1)
    call = Call("", FUNCTION, arguments, return_arguments=True)
    growth = _growth(arguments["x"])
    yield Case("unchanged", "arguments stay as they are", call, growth=growth, aspects=frozenset({Aspect.ARGUMENTS}))
    arguments = _arguments(draw, 2, 5, 6)
    call = Call("", FUNCTION, arguments, strided=("x",))
    hint = Hint("This input is not contiguous: `view` refuses that, `reshape` does not.", Flaw.RAISED)
    yield Case("non-contiguous", "an x that is not contiguous", call, growth=_growth(arguments["x"]), hint=hint)


def structure(draw: Draw) -> list[Call]:
    """Watched, not judged: this shows whether the library does the work."""
    return [Call(FUNCTION, FUNCTION, _arguments(draw, 3, 6), observe=True)]


def workload(draw: Draw, seq: int = 256) -> Call:
    """What is timed."""
    return Call("workload", FUNCTION, _arguments(draw, 8, seq, 512))


FAMILIES = {
    "values": values,
    "axes": axes,
    "eps": eps,
    "precision": precision,
    "gradients": gradients,
    "contract": contract,
}
