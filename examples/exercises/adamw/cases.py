"""The case families of adamw: one generator each. Name = what is probed; docstring = why.

Learning rates are large, so that what a wrong step does is far above what rounding does.
"""

from collections.abc import Iterator

import torch

from grader.authoring import Call, Case, Draw, Script, StructureCall

FUNCTION = "AdamW"
# A step rounds about twelve times, each time by a part of the parameter or of the learning rate; the rest is room, for
# verify wants right answers to stay at a tenth of what they may be off by.
ROUNDINGS = 32


def _grown(steps: int) -> float:
    """Roundings of several steps add up."""
    return float(ROUNDINGS * steps)


def _weights(draw: Draw, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """None near zero: a decay shows in each."""
    values = draw.normal(*shape)
    return (values.sign() * (0.5 + values.abs())).to(dtype)


def _gradients(draw: Draw, *shape: int, size: float = 1.0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Of several sizes, and none so near zero that rounding decides."""
    values = draw.normal(*shape)
    return (size * values.sign() * (0.1 + values.abs())).to(dtype)


def _trained(
    weights: list, gradients: list, settings: dict, *, after_steps: dict | None = None, as_generator: bool = False
) -> Script:
    """Steps with these gradients, a list for each step with one for each weight; None is no gradient. All weights are
    read after each step. `after_steps` says which settings change after which step.
    """
    script = Script(FUNCTION)
    held = [script.let(weight, requires_grad=True) for weight in weights]
    given = script.let(iter(held)) if as_generator else held
    optimiser = script.call(FUNCTION, {"params": given, **settings}, what="optimiser")
    for number, of_step in enumerate(gradients, start=1):
        for weight, gradient in zip(held, of_step, strict=True):
            script.set(weight, "grad", gradient)
        script.method(optimiser, "step", what="result of `step()`")
        script.read(held, what=f"parameters after step {number}")
        for name, value in (after_steps or {}).get(number, {}).items():
            script.set(optimiser, name, value)
    return script


def _case(name: str, title: str, script: Script, steps: int, hint: str = "") -> Case:
    return Case(name, title, script.as_call(), growth=_grown(steps), hint=hint)


def values(draw: Draw) -> Iterator[Case]:
    """One step, and the example of spec.md."""
    example = _trained([torch.tensor([1.0, -2.0])], [[torch.tensor([0.5, 4.0])]], {"lr": 0.1, "weight_decay": 0.5})
    yield _case("example", "the example in the exercise", example, 1)
    for name, shape in (("vector", (5,)), ("matrix", (3, 4)), ("number", ())):
        script = _trained([_weights(draw, *shape)], [[_gradients(draw, *shape)]], {"lr": 0.1, "weight_decay": 0.2})
        yield _case(name, f"one step of a parameter of shape {shape}", script, 1)
    inside = "eps is added after the root, to a root that is corrected already."
    for name, size in (("large-eps", 0.1), ("small-gradients", 1e-3)):
        settings = {"lr": 0.1, "betas": (0.8, 0.9), "eps": 0.05, "weight_decay": 0.0}
        gradients = [[_gradients(draw, 4, size=size)] for _ in range(2)]
        script = _trained([_weights(draw, 4)], gradients, settings)
        yield _case(name, f"eps = 0.05, gradients of about {size:g}", script, 2, inside)
    tiny = [[_gradients(draw, 4, size=3e-8)]]
    script = _trained([_weights(draw, 4)], tiny, {"lr": 0.1, "weight_decay": 0.0})
    yield _case("default-eps", "eps left out, gradients of about 3e-8", script, 1, "eps is 1e-8 when it is left out.")
    settings = {"lr": 0.1, "eps": 0.0, "weight_decay": 0.0}
    script = _trained([_weights(draw, 4)], [[_gradients(draw, 4, size=3e-8)]], settings)
    yield _case("zero-eps", "eps = 0, gradients of about 3e-8", script, 1, "Zero is an eps that was given.")
    script = _trained([_weights(draw, 4)], [[_gradients(draw, 4)]], {})
    yield _case("defaults", "all settings left out", script, 1, "The defaults stand in the first lines of the spec.")


def averages(draw: Draw) -> Iterator[Case]:
    """What is remembered shows from the second step on."""
    hint = "Both averages and their correction go on from step to step."
    for name, betas in (("usual", (0.9, 0.999)), ("short", (0.3, 0.6)), ("crossed", (0.95, 0.5))):
        gradients = [[_gradients(draw, 3, 2)] for _ in range(4)]
        script = _trained([_weights(draw, 3, 2)], gradients, {"lr": 0.05, "betas": betas, "weight_decay": 0.1})
        yield _case(name, f"four steps, betas = {betas}", script, 4, hint)
    shrinking = [[_gradients(draw, 4, size=10.0**-number)] for number in range(4)]
    script = _trained([_weights(draw, 4)], shrinking, {"lr": 0.05, "betas": (0.5, 0.6), "weight_decay": 0.0})
    yield _case("shrinking", "four steps with smaller and smaller gradients", script, 4, hint)
    settings = {"lr": 0.1, "betas": (0.0, 0.0), "weight_decay": 0.0}
    script = _trained([_weights(draw, 4)], [[_gradients(draw, 4)] for _ in range(2)], settings)
    yield _case("no-memory", "betas = (0, 0)", script, 2, "With betas of zero every step is a first step.")
    gradients = [[_gradients(draw, 4)] for _ in range(3)]
    changes = {1: {"lr": 0.2}, 2: {"lr": 0.0}}
    script = _trained([_weights(draw, 4)], gradients, {"lr": 0.05, "weight_decay": 0.3}, after_steps=changes)
    yield _case("schedule", "`lr` is changed between steps", script, 3, "`lr` is read anew in each step.")


def decay(draw: Draw) -> Iterator[Case]:
    """Decoupled: neither average knows of it."""
    hint = "The decay takes lr * weight_decay of the parameter off, before the step, and leaves the gradient alone."
    for name, amount in (("usual", 0.1), ("strong", 2.0), ("none", 0.0)):
        gradients = [[_gradients(draw, 5)] for _ in range(3)]
        script = _trained([_weights(draw, 5)], gradients, {"lr": 0.1, "weight_decay": amount})
        yield _case(name, f"three steps, weight_decay = {amount}", script, 3, hint)
    script = _trained([_weights(draw, 5)], [[torch.zeros(5)]] * 2, {"lr": 0.1, "weight_decay": 0.5})
    yield _case("zero-gradient", "gradients of zero", script, 2, "A gradient of zero is a gradient: the decay goes on.")
    gradients = [[_gradients(draw, 3)] for _ in range(2)]
    changes = {1: {"weight_decay": 1.5}}
    script = _trained([_weights(draw, 3)], gradients, {"lr": 0.1, "weight_decay": 0.0}, after_steps=changes)
    yield _case("changed", "`weight_decay` is changed between steps", script, 2)


def parameters(draw: Draw) -> Iterator[Case]:
    """Each has a state and a count of its own."""
    settings = {"lr": 0.1, "betas": (0.7, 0.8), "weight_decay": 0.1}
    for name, shapes, title in (
        ("two", ((3,), (2, 2)), "two parameters of different shapes"),
        ("alike", ((3,), (3,), (3,)), "three parameters of one shape"),
    ):
        gradients = [[_gradients(draw, *shape) for shape in shapes] for _ in range(3)]
        script = _trained([_weights(draw, *shape) for shape in shapes], gradients, settings)
        yield _case(name, title, script, 3, "Each parameter has averages of its own.")
    same = _weights(draw, 3)
    gradients = [[_gradients(draw, 3) for _ in range(2)] for _ in range(3)]
    yield _case("equal", "two parameters with equal values", _trained([same, same], gradients, settings), 3)
    left_out = "Without a gradient nothing happens to a parameter: no decay, no step, no count."
    for name, missing in (("late", (0, 1)), ("between", (1,)), ("never", (0, 1, 2, 3))):
        gradients = [[_gradients(draw, 3), None if number in missing else _gradients(draw, 3)] for number in range(4)]
        script = _trained([_weights(draw, 3), _weights(draw, 3)], gradients, settings)
        yield _case(name, f"no gradient in steps {', '.join(str(each + 1) for each in missing)}", script, 4, left_out)
    gradients = [[_gradients(draw, 3), _gradients(draw, 2)] for _ in range(2)]
    script = _trained([_weights(draw, 3), _weights(draw, 2)], gradients, settings, as_generator=True)
    yield _case("generator", "parameters from a generator", script, 2, "A generator can be read only once.")


def contract(draw: Draw) -> Iterator[Case]:
    """What the code around an optimiser takes for granted."""
    script = Script(FUNCTION)
    weight = script.let(_weights(draw, 3), requires_grad=True)
    optimiser = script.call(FUNCTION, {"params": [weight], "lr": 0.1, "weight_decay": 0.2}, what="optimiser")
    for number in (1, 2):
        script.set(weight, "grad", _gradients(draw, 3))
        script.method(optimiser, "step")
        script.read(weight, "grad", what=f"gradient after step {number}")
        script.read(weight, "requires_grad", what=f"`requires_grad` of the parameter after step {number}")
        script.read(weight, "is_leaf", what=f"`is_leaf` of the parameter after step {number}")
    yield _case("gradients-stay", "gradients and flags do not change", script, 2)
    script = Script(FUNCTION)
    weight = script.let(_weights(draw, 3), requires_grad=True)
    optimiser = script.call(FUNCTION, {"params": [weight], "lr": 0.1}, what="optimiser")
    for number in (1, 2):
        values = script.read(weight, "data", what=f"values of the parameter before they are replaced, {number}")
        script.method(values, "copy_", _weights(draw, 3), is_compared=False)
        script.set(weight, "grad", _gradients(draw, 3))
        script.method(optimiser, "step")
        script.read(weight, what=f"parameter after step {number}")
    hint = "Begin each step with the values that the parameter has then."
    yield _case("replaced", "the values of a parameter are replaced in place before each step", script, 2, hint)
    for name, title in (("", ""), ("-generator", ", parameters from a generator")):
        script = Script(FUNCTION)
        weights = [script.let(_weights(draw, 2), requires_grad=True) for _ in range(2)]
        given = script.let(iter(weights)) if name else weights
        optimiser = script.call(FUNCTION, {"params": given, "lr": 0.1}, what="optimiser")
        for _ in range(2):
            script.set(weights[0], "grad", _gradients(draw, 2))
            script.method(optimiser, "step")
            script.method(optimiser, "zero_grad")
            for number, weight in enumerate(weights, start=1):
                script.read(weight, "grad", what=f"gradient of parameter {number} after `zero_grad()`")
            script.method(optimiser, "step")
            script.read(weights, what="parameters after a step without gradients")
        hint = "`zero_grad()` sets gradients to None, and a generator can be read only once."
        yield _case(f"zero-grad{name}", f"gradients are gone after `zero_grad()`{title}", script, 4, hint)
    first, second = (_trained([_weights(draw, 2)], [[_gradients(draw, 2)]], {"lr": 0.1}) for _ in range(2))
    yield _case("first-of-two", "an optimiser that another one follows", first, 1)
    yield _case("second-of-two", "a second optimiser", second, 1, "Two optimisers share nothing.")


def refusals(draw: Draw) -> Iterator[Case]:
    """Better an error at once than a model that does not train."""
    for name, settings in (
        ("lr", {"lr": -0.1}),
        ("first-beta", {"lr": 0.1, "betas": (1.0, 0.9)}),
        ("second-beta", {"lr": 0.1, "betas": (0.9, 1.0)}),
        ("negative-beta", {"lr": 0.1, "betas": (-0.1, 0.9)}),
        ("negative-second", {"lr": 0.1, "betas": (0.9, -0.1)}),
        ("eps", {"lr": 0.1, "betas": (0.9, 0.99), "eps": -1e-8}),
        ("weight-decay", {"lr": 0.1, "betas": (0.9, 0.99), "eps": 1e-8, "weight_decay": -0.1}),
    ):
        script = Script(FUNCTION)
        arguments = {"params": [_weights(draw, 2)], **settings}
        script.call(FUNCTION, arguments, what=f"answer to {settings}", raises=["ValueError"])
        yield _case(name, f"{settings} is refused", script, 1)
    zeros = {"lr": 0.0, "betas": (0.0, 0.0), "eps": 0.0, "weight_decay": 0.0}
    script = _trained([_weights(draw, 2)], [[_gradients(draw, 2)]], zeros)
    yield _case("zeros", "zeros are allowed", script, 1)


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged: this shows whether the library does the work."""
    gradients = [[_gradients(draw, 3), _gradients(draw, 2)] for _ in range(2)]
    script = _trained([_weights(draw, 3), _weights(draw, 2)], gradients, {"lr": 0.1, "weight_decay": 0.1})
    return [StructureCall(script.as_call())]


def workload(draw: Draw) -> Call:
    """What is timed."""
    shapes = [(256, 256)] * 8
    gradients = [[_gradients(draw, *shape) for shape in shapes] for _ in range(3)]
    script = Script(FUNCTION)
    held = [script.let(_weights(draw, *shape), requires_grad=True) for shape in shapes]
    optimiser = script.call(FUNCTION, {"params": held, "lr": 0.1, "weight_decay": 0.1})
    for of_step in gradients:
        for weight, gradient in zip(held, of_step, strict=True):
            script.set(weight, "grad", gradient)
        script.method(optimiser, "step")
    script.read(held[0])
    return script.as_call()


def example(draw: Draw, weights: int, steps: int, decay: float) -> Call:
    """What a student may try by hand."""
    gradients = [[_gradients(draw, weights)] for _ in range(steps)]
    settings = {"lr": 0.1, "betas": (0.5, 0.75), "weight_decay": decay}
    return _trained([_weights(draw, weights)], gradients, settings).as_call()


EXAMPLE_SIZES = (
    {"weights": 1, "steps": 1, "decay": 0.0},
    {"weights": 1, "steps": 2, "decay": 0.0},
    {"weights": 2, "steps": 1, "decay": 0.5},
    {"weights": 2, "steps": 3, "decay": 0.5},
)

FAMILIES = {
    "values": values,
    "averages": averages,
    "decay": decay,
    "parameters": parameters,
    "contract": contract,
    "refusals": refusals,
}
