"""The case families of linear: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: no two axes are equally long, unless that is what is probed.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, Gives, GradMode, Normal, StructureCall

FUNCTION = "Linear"
# Each product rounds once, and so does the result. The rest is room: verify wants right answers to stay at a tenth of
# what they may be off by.
ROUNDINGS = 10


def _growth(x: Tensor, length: int) -> float:
    """How many float32 roundings of its largest terms a sum of so many products may be off by; those of the dtype
    where it is coarser.
    """
    coarseness = max(torch.finfo(x.dtype).eps / torch.finfo(torch.float32).eps, 1)
    return coarseness * (ROUNDINGS + math.sqrt(length))


def _arguments(draw: Draw, *leading: int, width: int, outputs: int, dtype: torch.dtype = torch.float32) -> dict:
    """In the contract's order, then the input and the weight that is put into the layer."""
    return {
        "in_features": width,
        "out_features": outputs,
        "x": draw.normal(*leading, width).to(dtype),
        "weight": draw.normal(outputs, width).to(dtype),
    }


def _sizes_of_terms(arguments: dict) -> float:
    """The terms of the largest sum, all taken as positive: sums of them may cancel."""
    x, weight = arguments["x"].double().abs(), arguments["weight"].double().abs()
    return (x @ weight.T).amax().item()


def _case(name: str, title: str, arguments: dict, hint: str = "", **given: object) -> Case:
    """`given` goes to the harness."""
    call = Call("", FUNCTION, arguments | given)
    growth = _growth(arguments["x"], arguments["in_features"])
    return Case(name, title, call, growth=growth, output_scale=_sizes_of_terms(arguments), hint=hint)


def values(draw: Draw) -> Iterator[Case]:
    """The example of spec.md, wide and narrow layers, and a weight that changes."""
    rows = "Each row of the weight makes one output."
    yield _case("usual", "3 vectors, from 5 features to 4", _arguments(draw, 3, width=5, outputs=4), rows)
    example = {
        "in_features": 2,
        "out_features": 3,
        "x": torch.tensor([10.0, 1.0]),
        "weight": torch.tensor([[1.0, 2.0], [0.0, -1.0], [3.0, 0.0]]),
    }
    yield _case("example", "the example in the exercise", example, rows)
    square = "Where both sizes are equal, nothing tells that the transpose is missing."
    yield _case("square", "as many outputs as inputs", _arguments(draw, 3, width=4, outputs=4), square)
    yield _case("long", "from 300 features to 2", _arguments(draw, 3, width=300, outputs=2))
    changed = "Use the weight that the layer has now: keep nothing that was computed from it."
    given = _arguments(draw, 3, width=4, outputs=5)
    yield _case("later", "the weight changes between two calls", given, changed, measure="later output")
    for mode in GradMode:
        title = "the weight changes in place between two calls after eval()"
        title += {GradMode.NO_GRAD: ", under no_grad", GradMode.INFERENCE: ", under inference_mode"}.get(mode, "")
        given = _arguments(draw, 3, width=4, outputs=5)
        case = _case(f"step-{mode}", title, given, changed, measure="output after a step")
        yield replace(case, call=replace(case.call, grad_mode=mode))


def leading_axes(draw: Draw) -> Iterator[Case]:
    """The features are the last axis; all axes before it stay as they are."""
    hint = "The features are the last axis, whatever axes come before it, and those stay as they are."
    for name, leading, title in (
        ("none", (), "one vector: x of shape (5,)"),
        ("two", (2, 3), "x of shape (2, 3, 5)"),
        ("three", (2, 4, 3), "x of shape (2, 4, 3, 5)"),
        ("ones", (1, 1), "x of shape (1, 1, 5)"),
        ("cube", (5, 5), "x of shape (5, 5, 5)"),
    ):
        yield _case(name, title, _arguments(draw, *leading, width=5, outputs=4), hint)


def _question(draw: Draw, measure: str, width: int, outputs: int, dtype: str = "", **how: object) -> Call:
    """About a layer as it is made."""
    arguments = {"in_features": width, "out_features": outputs, "measure": measure}
    given = arguments | ({"dtype": dtype} if dtype else {})
    return Call("", FUNCTION, given, gives=Gives.VALUES, **how)


def _is_within(first: Tensor) -> bool:
    """Three standard deviations, and a rounding."""
    return first.abs().amax().item() <= 3.0001 * math.sqrt(2 / sum(first.shape))


def _is_spread_out(first: Tensor) -> bool:
    """Chance does not put twenty numbers at one place."""
    _, counts = first.unique(return_counts=True)
    return int(counts.amax()) < 20


def _are_different(both: list[Tensor]) -> bool:
    """Two layers that are made one after the other."""
    first, second = both
    return bool((first != second).any())


def initial_weight(draw: Draw) -> Iterator[Case]:
    """What training begins from: the numbers differ from layer to layer, and their distribution does not."""
    hint = "The variance is 2 / (in_features + out_features); the standard deviation is its root."
    for width, outputs, dtype in ((512, 128, ""), (128, 512, ""), (600, 40, ""), (256, 256, "float64")):
        std = math.sqrt(2 / (width + outputs))
        call = _question(draw, "first weight", width, outputs, dtype, random_seed=draw.integer(0, 2**31))
        distribution = Normal(0.0, std, low=-3 * std, high=3 * std)
        title = f"the first weight from {width} features to {outputs}" + (f", {dtype}" if dtype else "")
        yield Case(f"{width}-{outputs}", title, call, distribution=distribution, what="first weight", hint=hint)
    for name, measure, what, known, why in (
        (
            "within",
            "first weight",
            "is every number within three standard deviations?",
            _is_within,
            "trunc_normal_ takes its limits as numbers: a = -3 * std and b = 3 * std.",
        ),
        (
            "spread-out",
            "first weight",
            "does no number occur 20 times?",
            _is_spread_out,
            "What falls outside is drawn again, not moved to one place.",
        ),
        (
            "different",
            "first weights",
            "do two layers begin with different weights?",
            _are_different,
            "Leave the seed to whoever trains.",
        ),
    ):
        call = _question(draw, measure, 300, 200, random_seed=draw.integer(0, 2**31))
        yield Case(name, what, call, what="answer", statistic=known, hint=why)


def parameters(draw: Draw) -> Iterator[Case]:
    """What optimisers and checkpoints find."""
    hint = "One parameter named `weight`, of shape (out_features, in_features), and nothing else."
    for width, outputs, dtype in ((5, 3, ""), (3, 5, "float64"), (4, 2, "bfloat16"), (1, 1, "")):
        call = _question(draw, "parameters", width, outputs, dtype)
        title = f"the parameters from {width} features to {outputs}" + (f", dtype=torch.{dtype}" if dtype else "")
        yield Case(f"{width}-{outputs}", title, call, what="parameters", hint=hint)


def _gradient_scale(arguments: dict, gradient: Tensor, of: tuple[str, ...]) -> float:
    """The terms of the largest sums of the gradients asked for, all taken as positive."""
    x, weight, upstream = (each.double().abs() for each in (arguments["x"], arguments["weight"], gradient))
    rows, columns = x.reshape(-1, x.shape[-1]), upstream.reshape(-1, upstream.shape[-1])
    sums = {"x": upstream @ weight, "weight": columns.T @ rows}
    return max(sums[name].amax().item() for name in of)


def gradients(draw: Draw) -> Iterator[Case]:
    """Training needs that of the weight, and the layers before need that of x."""
    for name in ("x", "weight"):
        for leading in ((3,), (2, 4)):
            arguments = _arguments(draw, *leading, width=5, outputs=6)
            gradient = draw.normal(*leading, 6)
            call = Call("", FUNCTION, arguments, gradient=gradient, differentiate=(name,))
            yield Case(
                f"{name}-{len(leading)}",
                f"the gradient of {name}, with x of shape {(*leading, 5)}",
                call,
                growth=_growth(arguments["x"], 8),
                scale=_gradient_scale(arguments, gradient, (name,)),
                aspects=frozenset({Aspect.GRADIENTS}),
                hint="The gradient of the weight is summed over all vectors." if name == "weight" else "",
            )


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged: this shows whether the library does the work."""
    return [
        StructureCall(Call("", FUNCTION, _arguments(draw, 2, 3, width=5, outputs=4))),
        StructureCall(Call("", FUNCTION, _arguments(draw, width=5, outputs=4)), kind="vector"),
        StructureCall(Call("", FUNCTION, _arguments(draw, 3, width=5, outputs=4, dtype=torch.float16)), kind="float16"),
    ]


def workload(draw: Draw) -> Call:
    """What is timed."""
    return Call("workload", FUNCTION, _arguments(draw, 8, 32, width=128, outputs=128))


def example(draw: Draw, *, width: int, outputs: int, leading: tuple[int, ...] = ()) -> Call:
    """What a student may try by hand."""
    return Call("", FUNCTION, _arguments(draw, *leading, width=width, outputs=outputs))


EXAMPLE_CALL = """layer = Linear(in_features, out_features)
output = torch.func.functional_call(layer, {"weight": weight}, (x,))"""
EXAMPLE_SIZES = (
    {"width": 1, "outputs": 1},
    {"width": 2, "outputs": 1},
    {"width": 2, "outputs": 2},
    {"width": 2, "outputs": 3},
    {"width": 2, "outputs": 2, "leading": (2,)},
    {"width": 2, "outputs": 1, "leading": (2, 1)},
    {"width": 2, "outputs": 1, "leading": (1, 2, 1)},
)

FAMILIES = {
    "values": values,
    "leading-axes": leading_axes,
    "initial-weight": initial_weight,
    "parameters": parameters,
    "gradients": gradients,
}
