"""The case families of gradient-clipping: one generator each. Name = what is probed; docstring = why."""

import math
from collections.abc import Iterator, Sequence

import torch

from grader.authoring import Call, Case, Draw, Script, StructureCall

FUNCTION = "clip_gradients"
# Squares, their sum, the root, the quotient and the product round, sums of a few dozen numbers several times; the rest is
# room, for verify wants right answers to stay at a tenth of what they may be off by.
ROUNDINGS = 64


def _gradient(draw: Draw, *shape: int, size: float = 1.0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """No number near zero: each has its part in the norm."""
    values = draw.normal(*shape)
    return (size * values.sign() * (0.2 + values.abs())).to(dtype)


def _norm(gradients: Sequence[torch.Tensor | None]) -> float:
    """Of all of them together."""
    return math.sqrt(sum(each.double().square().sum().item() for each in gradients if each is not None))


def _clipped(
    gradients: Sequence[torch.Tensor | None],
    max_norm: float,
    *,
    eps: float | None = None,
    as_generator: bool = False,
    is_transposed: bool = False,
) -> Script:
    """Parameters with these gradients are clipped. The tensors that were set are read, and what the parameters have.
    Matrices that are transposed are given as such views.
    """
    script = Script(FUNCTION)
    parameters, held = [], []
    for place, gradient in enumerate(gradients):
        like = torch.ones(2, dtype=torch.float32) if gradient is None else torch.ones_like(gradient)
        parameters.append(script.let(like * (place + 1), requires_grad=True))
        if gradient is None:
            continue
        if is_transposed:
            whole = script.let(gradient.T.contiguous())
            held.append(script.method(whole, "t", is_compared=False))
        else:
            held.append(script.let(gradient))
        script.set(parameters[-1], "grad", held[-1])
    arguments = {
        "parameters": script.let(iter(parameters)) if as_generator else parameters,
        "max_norm": max_norm,
        **({} if eps is None else {"eps": eps}),
    }
    script.call(FUNCTION, arguments, is_compared=False)
    for number, parameter in enumerate(parameters, start=1):
        script.read(parameter, "grad", what=f"gradient of parameter {number}")
    script.read(held, what="tensors that were the gradients before the call")
    script.read(parameters, what="parameters")
    return script


def _case(name: str, title: str, script: Script, hint: str = "") -> Case:
    return Case(name, title, script.as_call(), growth=ROUNDINGS, hint=hint)


def values(draw: Draw) -> Iterator[Case]:
    """One parameter, and the example of spec.md."""
    example = [torch.tensor([3.0, 0.0]), torch.tensor([[4.0]])]
    yield _case("example", "the example in the exercise", _clipped(example, 1.0, eps=0.0))
    for name, shape in (("vector", (5,)), ("matrix", (3, 4)), ("number", ()), ("cube", (2, 2, 3))):
        gradient = _gradient(draw, *shape)
        script = _clipped([gradient], 0.5 * _norm([gradient]))
        yield _case(name, f"a gradient of shape {shape}, twice as long as max_norm", script)
    far = _gradient(draw, 6, size=100)
    yield _case("far", "a gradient hundreds of times as long as max_norm", _clipped([far], 1.0))
    whole = _gradient(draw, 6, size=3)
    yield _case("whole", "max_norm is the whole number 2", _clipped([whole], 2), "max_norm may be an int.")


def norm(draw: Draw) -> Iterator[Case]:
    """Clipping each parameter by itself turns the direction of the step."""
    one = "There is one norm for all parameters, and one factor."
    for name, shapes, title in (
        ("two", ((3,), (2, 2)), "two parameters of different shapes"),
        ("alike", ((3,), (3,), (3,)), "three parameters of one shape"),
        ("many", tuple((2, 3) for _ in range(8)), "eight parameters"),
    ):
        gradients = [_gradient(draw, *shape) for shape in shapes]
        yield _case(name, title, _clipped(gradients, 0.4 * _norm(gradients)), one)
    gradients = [_gradient(draw, 3, size=size) for size in (0.1, 10, 1)]
    yield _case("sizes", "gradients of very different sizes", _clipped(gradients, 0.3 * _norm(gradients)), one)
    below = [_gradient(draw, 4) for _ in range(4)]
    limit = 1.1 * max(_norm([gradient]) for gradient in below)
    yield _case(
        "each-below", "each gradient is shorter than max_norm, and all together are longer", _clipped(below, limit), one
    )
    mixed = [_gradient(draw, 3), _gradient(draw, 2, dtype=torch.float64), _gradient(draw, 2)]
    yield _case("mixed", "float32 and float64 in one model", _clipped(mixed, 0.5 * _norm(mixed)))
    transposed = [_gradient(draw, 2, 3), _gradient(draw, 3, 4)]
    script = _clipped(transposed, 0.5 * _norm(transposed), is_transposed=True)
    yield _case("transposed", "gradients that are transposed views", script, "A view's numbers need not lie in order.")


def limits(draw: Draw) -> Iterator[Case]:
    """Clipping only ever shortens."""
    stays = "A norm that is not larger than max_norm changes nothing."
    gradients = [_gradient(draw, 3), _gradient(draw, 2)]
    for name, share, title in (
        ("below", 3.0, "a norm far below max_norm"),
        ("just-below", 1.01, "a norm just below max_norm"),
        ("just-above", 0.99, "a norm just above max_norm"),
    ):
        yield _case(name, title, _clipped(gradients, share * _norm(gradients)), stays)
    border = "At max_norm itself nothing changes, and eps has no part in the comparison."
    exact = [torch.tensor([3.0, 0.0]), torch.tensor([4.0])]
    yield _case("equal", "a norm of exactly max_norm, eps = 0.5", _clipped(exact, 5.0, eps=0.5), border)
    near = _clipped(gradients, 1.1 * _norm(gradients), eps=0.5 * _norm(gradients))
    yield _case("near", "a norm below max_norm by less than eps", near, border)
    yield _case("zero", "max_norm = 0", _clipped(gradients, 0.0))
    zeros = [torch.zeros(3), torch.zeros(2)]
    yield _case("zeros", "gradients of zero", _clipped(zeros, 1.0, eps=0.0), stays)
    yield _case("zeros-at-zero", "gradients of zero, and max_norm = 0", _clipped(zeros, 0.0, eps=0.0), stays)


def eps(draw: Draw) -> Iterator[Case]:
    """It counts where gradients are small."""
    added = "eps is added to the norm, and max_norm is divided by their sum."
    small = [_gradient(draw, 3, size=1e-5), _gradient(draw, 2, size=1e-5)]
    yield _case(
        "left-out", "gradients so small that the default eps counts", _clipped(small, 0.5 * _norm(small)), added
    )
    given = "An eps of 0 is one that was given: nothing is added."
    yield _case("zero", "eps = 0, gradients that are small", _clipped(small, 0.5 * _norm(small), eps=0.0), given)
    gradients = [_gradient(draw, 3), _gradient(draw, 2)]
    for name, amount in (("large", 0.7), ("larger", 2.5), ("none", 0.0)):
        script = _clipped(gradients, 0.5 * _norm(gradients), eps=amount)
        yield _case(name, f"eps = {amount}", script, added)


def missing(draw: Draw) -> Iterator[Case]:
    """Layers that a batch does not use have no gradient."""
    left = "A parameter without a gradient is left alone: it keeps None, and the others are clipped."
    for name, places, title in (
        ("first", (0,), "the first of three parameters has no gradient"),
        ("between", (1,), "the second of three parameters has no gradient"),
        ("last", (2,), "the last of three parameters has no gradient"),
        ("most", (0, 1), "only the last of three parameters has a gradient"),
    ):
        gradients = [None if place in places else _gradient(draw, 3) for place in range(3)]
        yield _case(name, title, _clipped(gradients, 0.5 * _norm(gradients)), left)
    yield _case("all", "no parameter has a gradient", _clipped([None, None], 1.0), left)
    yield _case("empty", "there is no parameter", _clipped([], 1.0), "`parameters` may be empty.")


def contract(draw: Draw) -> Iterator[Case]:
    """What the code around it takes for granted."""
    once = "A generator can be read only once."
    gradients = [_gradient(draw, 3), _gradient(draw, 2, 2)]
    script = _clipped(gradients, 0.5 * _norm(gradients), as_generator=True)
    yield _case("generator", "parameters from a generator", script, once)
    script = _clipped([None, *gradients], 0.5 * _norm(gradients), as_generator=True)
    yield _case("generator-missing", "parameters from a generator, one without a gradient", script, once)
    script = _clipped([], 1.0, as_generator=True)
    yield _case("generator-empty", "a generator that gives nothing", script)
    for number in (1, 2):
        gradients = [_gradient(draw, 3, size=number)]
        hint = "Each call has a norm of its own."
        yield _case(f"again-{number}", f"call {number} of two", _clipped(gradients, 0.5), hint)
    twice = Script(FUNCTION)
    parameter = twice.let(torch.ones(4), requires_grad=True)
    for number in (1, 2):
        twice.set(parameter, "grad", _gradient(draw, 4, size=4 - number))
        twice.call(FUNCTION, {"parameters": [parameter], "max_norm": 1.0}, is_compared=False)
        twice.read(parameter, "grad", what=f"gradient after call {number}")
        twice.read(parameter, "requires_grad", what=f"`requires_grad` of the parameter after call {number}")
    yield _case("twice", "one parameter in two steps of a training", twice)


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged: this shows whether the library does the work."""
    gradients = [_gradient(draw, 3), _gradient(draw, 2, 2)]
    return [StructureCall(_clipped(gradients, 0.5 * _norm(gradients)).as_call())]


def workload(draw: Draw) -> Call:
    """What is timed."""
    gradients = [_gradient(draw, 64, 64) for _ in range(8)]
    script = Script(FUNCTION)
    parameters = [script.let(torch.ones(64, 64), requires_grad=True) for _ in gradients]
    for parameter, gradient in zip(parameters, gradients, strict=True):
        script.set(parameter, "grad", gradient)
    for share in (0.9, 0.5, 0.2):
        script.call(FUNCTION, {"parameters": parameters, "max_norm": share * _norm(gradients)}, is_compared=False)
    script.read(parameters[0], "grad")
    return script.as_call()


def example(draw: Draw, parameters: int, numbers: int, max_norm: float, eps: float) -> Call:
    """What a student may try by hand."""
    script = Script(FUNCTION)
    held = [script.let(torch.ones(numbers), requires_grad=True) for _ in range(parameters)]
    for parameter in held:
        script.set(parameter, "grad", _gradient(draw, numbers))
    script.call(FUNCTION, {"parameters": held, "max_norm": max_norm, "eps": eps}, is_compared=False)
    for number, parameter in enumerate(held, start=1):
        script.read(parameter, "grad", what=f"gradient of parameter {number}")
    return script.as_call()


EXAMPLE_SIZES = (
    {"parameters": 1, "numbers": 1, "max_norm": 0.1, "eps": 0.0},
    {"parameters": 1, "numbers": 2, "max_norm": 0.1, "eps": 0.0},
    {"parameters": 2, "numbers": 1, "max_norm": 0.1, "eps": 0.0},
    {"parameters": 1, "numbers": 1, "max_norm": 0.1, "eps": 0.5},
    {"parameters": 1, "numbers": 1, "max_norm": 9.0, "eps": 0.5},
    {"parameters": 2, "numbers": 2, "max_norm": 0.5, "eps": 0.0},
)

FAMILIES = {
    "values": values,
    "norm": norm,
    "limits": limits,
    "eps": eps,
    "missing": missing,
    "contract": contract,
}
