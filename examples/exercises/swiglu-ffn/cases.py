"""The case families: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: d_model, d_ff and the leading axes differ, but for the family `square`,
where weights that are swapped or transposed fit, and only the numbers are wrong.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, GradMode, StructureCall

FUNCTION = "swiglu_ffn"
# Sigmoid, two products and three sums round once or twice each; the rest is room for the terms that cancel in a sum.
ROUNDINGS = 32


def _growth(arguments: dict[str, Tensor]) -> float:
    """How many roundings a right answer may be off by: the errors of a sum grow with the root of its length."""
    d_ff, d_model = arguments["w1"].shape
    return ROUNDINGS + 6 * math.sqrt(d_model) + 3 * math.sqrt(d_ff)


def _arguments(draw: Draw, *shape: int, d_ff: int = 7) -> dict[str, Tensor]:
    """Weights as a layer has them at the start, so that features are about as large as those of x."""
    d_model = shape[-1]
    return {
        "x": 2 * draw.normal(*shape),
        "w1": draw.normal(d_ff, d_model) / math.sqrt(d_model),
        "w2": draw.normal(d_model, d_ff) / math.sqrt(d_ff),
        "w3": draw.normal(d_ff, d_model) / math.sqrt(d_model),
    }


def _case(name: str, title: str, arguments: dict[str, Tensor], hint: str = "") -> Case:
    return Case(name, title, Call("", FUNCTION, arguments), growth=_growth(arguments), hint=hint)


def values(draw: Draw) -> Iterator[Case]:
    """The example of spec.md, and more features than the model has, or fewer."""
    example = {
        "x": torch.tensor([math.log(3.0), 4.0]),
        "w1": torch.tensor([[1.0, 0.0]]),
        "w2": torch.tensor([[1.0], [-1.0]]),
        "w3": torch.tensor([[0.0, 2.0]]),
    }
    yield _case("example", "the example in the exercise", example)
    for name, d_model, d_ff in (("wide", 4, 17), ("narrow", 9, 4), ("two-thirds", 6, 16)):
        yield _case(name, f"d_model = {d_model}, d_ff = {d_ff}", _arguments(draw, 3, d_model, d_ff=d_ff))


def axes(draw: Draw) -> Iterator[Case]:
    """Every vector is projected by itself, wherever the last axis is."""
    hint = "Each vector along the last axis is handled by itself, whatever axes come before it."
    for name, shape in (("none", (6,)), ("batch", (2, 3, 6)), ("four", (2, 1, 3, 2, 6)), ("cube", (6, 6, 6))):
        yield _case(name, f"an input of shape {shape}", _arguments(draw, *shape), hint)


def square(draw: Draw) -> Iterator[Case]:
    """d_ff = d_model: any weight fits in the place of any other, transposed or not."""
    hint = "With d_ff = d_model every weight fits everywhere. Which one is multiplied from which side, and when?"
    for name, shape in (("row", (5,)), ("rows", (3, 5))):
        yield _case(name, f"an input of shape {shape}, d_ff = 5", _arguments(draw, *shape, d_ff=5), hint)


def large_gates(draw: Draw) -> Iterator[Case]:
    """exp of 100 overflows in float32; the SiLU of it does not, and neither does its derivative."""
    hint = "exp of a large number overflows. What is SiLU of a number far above zero, and of one far below?"
    for name, sign in (("above", 1), ("below", -1)):
        arguments = _arguments(draw, 4, 6)
        arguments["w1"] = sign * arguments["w1"].abs() * 100
        arguments["x"] = arguments["x"].abs() + 1
        arguments["w1"][0] /= 1000  # one gate of ordinary size, so that the result is never nothing but zeros
        yield _case(name, f"gates far {name} zero", arguments, hint)
        call = Call("", FUNCTION, arguments, gradient=draw.normal(4, 6), differentiate=("x",))
        growth = 4 * _growth(arguments)
        title = f"the gradient of x, with gates far {name} zero"
        yield Case(f"gradient-{name}", title, call, growth=growth, aspects=frozenset({Aspect.GRADIENTS}), hint=hint)


def gradients(draw: Draw) -> Iterator[Case]:
    """Training needs all four gradients, in values."""
    for argument in ("x", "w1", "w2", "w3"):
        arguments = _arguments(draw, 2, 5, 6)
        call = Call("", FUNCTION, arguments, gradient=draw.normal(2, 5, 6), differentiate=(argument,))
        growth = 4 * _growth(arguments)  # the backward pass goes through every step twice
        title = f"the gradient of {argument}"
        yield Case(argument, title, call, growth=growth, aspects=frozenset({Aspect.GRADIENTS}))


def contract(draw: Draw) -> Iterator[Case]:
    """What the spec promises of every call: dtype, views, arguments as they were, nothing remembered."""
    arguments = {name: value.double() for name, value in _arguments(draw, 3, 6).items()}
    yield _case("float64", "float64", arguments)
    arguments = _arguments(draw, 3, 6)
    call = Call("", FUNCTION, arguments, strided=tuple(arguments))
    yield Case("views", "arguments that are not contiguous", call, growth=_growth(arguments))
    call = Call("", FUNCTION, _arguments(draw, 3, 6), return_arguments=True)
    yield Case("unchanged", "the arguments afterwards", call, aspects=frozenset({Aspect.ARGUMENTS}))
    arguments = _arguments(draw, 3, 6)
    call = Call("", FUNCTION, arguments, reused=tuple(arguments))
    hint = "The tensors of the call before, with new numbers in them. Do you keep something from one call to the next?"
    yield Case("reused", "the same tensors with other numbers", call, growth=_growth(arguments), hint=hint)


def example(draw: Draw, d_model: int, d_ff: int, tokens: int) -> Call:
    """A call small enough to be read."""
    shape = (tokens, d_model) if tokens else (d_model,)
    drawn = {"x": shape, "w1": (d_ff, d_model), "w2": (d_model, d_ff), "w3": (d_ff, d_model)}
    return Call("example", FUNCTION, {name: draw.normal(*sizes) for name, sizes in drawn.items()})


# The smallest first; each adds one thing: a second feature, other sizes, another token.
EXAMPLE_SIZES = (
    {"d_model": 1, "d_ff": 1, "tokens": 0},
    {"d_model": 2, "d_ff": 1, "tokens": 0},
    {"d_model": 2, "d_ff": 2, "tokens": 0},
    {"d_model": 2, "d_ff": 3, "tokens": 0},
    {"d_model": 2, "d_ff": 3, "tokens": 2},
)


def structure(draw: Draw) -> list[StructureCall]:
    """Calls that are watched, not judged: the rules are decided by what these were seen to do."""
    return [StructureCall(Call("", FUNCTION, _arguments(draw, 3, 6)))]


def workload(draw: Draw) -> Call:
    """What is timed."""
    return Call("workload", FUNCTION, _arguments(draw, 128, 128, d_ff=344))


FAMILIES = {
    "values": values,
    "axes": axes,
    "square": square,
    "large-gates": large_gates,
    "gradients": gradients,
    "contract": contract,
}
