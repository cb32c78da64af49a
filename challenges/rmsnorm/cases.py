"""The case families of rmsnorm: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: no two axes are equally long, unless that is what is probed.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, Flaw, GradMode, Hint, StructureCall

FUNCTION = "rmsnorm"
DEFAULT = 1e-5  # of eps
# Square, mean, eps, root, division and weight round once each, and the dtype's own rounding comes last. The rest is
# room: verify wants right answers to stay at a tenth of what they may be off by.
ROUNDINGS = 16


def _growth(x: Tensor) -> float:
    """How many float32 roundings a right answer may be off by: those of x's own dtype where it is coarser, and of a
    sum of d_model squares, which is taken in float32 at least.
    """
    coarseness = max(torch.finfo(x.dtype).eps / torch.finfo(torch.float32).eps, 1)
    return coarseness * ROUNDINGS + math.sqrt(x.shape[-1])


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
    """Vectors of several lengths, and the example of spec.md. The first eps is no default of anybody's: code that keeps
    it for later calls cannot be taken for code that has a constant.
    """
    yield _case("width-4", "d_model = 4, eps = 0.2", _arguments(draw, 3, 5, 4, eps=0.2))
    example = {"x": torch.tensor([[3.0, 4.0]]), "weight": torch.tensor([1.0, 2.0]), "eps": 0.0}
    yield _case("example", "the example in the exercise", example)
    yield _case("width-48", "d_model = 48", _arguments(draw, 3, 5, 48))
    zeros = _arguments(draw, 2, 3) | {"weight": torch.zeros(3)}
    yield _case("zero-weight", "a weight of zeros", zeros, "Zeros are a weight like any other.")


def axes(draw: Draw) -> Iterator[Case]:
    """Every vector is normalised by itself, wherever the last axis is."""
    hint = "Each vector along the last axis has its own root mean square, whatever axes come before it."
    for name, shape, title in (
        ("none", (6,), "one vector: (d_model,)"),
        ("three", (2, 3, 5, 6), "three leading axes"),
        ("square", (6, 6), "as many vectors as features"),
        ("cube", (4, 4, 4), "all axes equally long"),
        ("many", (7, 29, 6), "203 vectors: not a whole number of blocks"),
    ):
        yield _case(name, title, _arguments(draw, *shape), hint)


def eps(draw: Draw) -> Iterator[Case]:
    """eps is an argument with a default, and stands under the root: only small vectors tell."""
    left_out = "eps is 1e-5 when it is left out."
    yield _case("left-out", "eps left out, small values", _arguments(draw, 4, 6, size=2e-3), left_out)
    inside = "eps is added to the mean of the squares, before the root."
    yield _case("large", "eps = 0.3", _arguments(draw, 4, 6, eps=0.3), inside)
    yield _case(
        "small-values",
        "eps = 0.01, squares of about the same size",
        _arguments(draw, 4, 6, eps=0.01, size=0.05),
        inside,
    )
    yield _case("none", "eps = 0", _arguments(draw, 4, 6, eps=0.0, size=1e-3), "Use the eps that is passed in.")
    zeros = _arguments(draw, 3, 5) | {"x": torch.zeros(3, 5)}
    zeros["x"][1] = draw.normal(5)
    yield _case("zeros", "vectors of zeros", zeros, "A vector of zeros stays zero: nothing may become NaN.")


def precision(draw: Draw) -> Iterator[Case]:
    """On the way to a result in half precision, squares and their sum need more room."""
    overflow = Hint(
        "In float16 the square of 300 is infinite: square and average in float32.", Flaw.VALUES, Flaw.NOT_FINITE
    )
    large = _arguments(draw, 3, 32, size=300, dtype=torch.float16)
    yield _case("float16-large", "float16, values of several hundred", large, overflow)
    beyond = Hint(
        "x * weight may exceed the range of float16: divide first, or multiply in float32.",
        Flaw.VALUES,
        Flaw.NOT_FINITE,
    )
    weighed = {"x": (50_000 * draw.normal(3, 32).tanh()).half(), "weight": (2 + draw.normal(32).abs()).half()}
    yield _case("float16-weighed", "float16, values up to 50,000 and weights above 2", weighed, beyond)
    stalls = Hint("In half precision a long sum stops growing: take the mean in float32.", Flaw.VALUES)
    for dtype in (torch.float16, torch.bfloat16):
        name = str(dtype).removeprefix("torch.")
        yield _case(f"{name}-wide", f"{name}, d_model = 4096", _arguments(draw, 2, 4096, dtype=dtype), stalls)


def gradients(draw: Draw) -> Iterator[Case]:
    """Training needs both gradients, in values: the root mean square depends on x too."""
    for argument in ("x", "weight"):
        arguments = _arguments(draw, 2, 5, 6, eps=0.1)
        call = Call("", FUNCTION, arguments, gradient=draw.normal(2, 5, 6), differentiate=(argument,))
        growth = 4 * _growth(arguments["x"])  # the backward pass goes through every step twice
        title = f"the gradient of {argument}"
        yield Case(argument, title, call, growth=growth, aspects=frozenset({Aspect.GRADIENTS}))


def contract(draw: Draw) -> Iterator[Case]:
    """Arguments belong to the caller, who may put other values into them: nothing of a call is remembered."""
    arguments = _arguments(draw, 3, 6, eps=0.1)
    call = Call("", FUNCTION, arguments, return_arguments=True)
    growth = _growth(arguments["x"])
    yield Case("unchanged", "arguments do not change", call, growth=growth, aspects=frozenset({Aspect.ARGUMENTS}))
    for mode in GradMode:
        for name, reused in (("first", ()), ("rewritten", ("x", "weight"))):
            title = "new values in the tensors of the previous call" if reused else "a call that is followed by another"
            call = Call("", FUNCTION, _arguments(draw, 4, 6, eps=0.1), grad_mode=mode, reused=reused)
            title += {GradMode.NO_GRAD: ", under no_grad", GradMode.INFERENCE: ", under inference_mode"}.get(mode, "")
            yield Case(f"{name}-{mode}", title, call, growth=growth)


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged: this shows whether the library does the work."""
    return [StructureCall(Call("", FUNCTION, _arguments(draw, 3, 6)))]


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
