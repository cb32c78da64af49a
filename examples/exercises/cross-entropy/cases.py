"""The case families of cross-entropy: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: no two axes are equally long, unless that is what is probed.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, Flaw, GradMode, Hint, StructureCall

FUNCTION = "cross_entropy"
# Shift, exp, sum, logarithm, difference and mean round once each. The rest is room: verify wants right answers to stay
# at a tenth of what they may be off by.
ROUNDINGS = 10
MINUS_INFINITY = -math.inf
UPSTREAM = 1.5  # the gradient that comes in: a factor that must not get lost


def _growth(logits: Tensor) -> float:
    """How many float32 roundings of 1, or of the loss, a right answer may be off by: those of the dtype where it is
    coarser, of a sum over the vocabulary, and of a logarithm of the sum that is as large as the largest logit.
    """
    coarseness = max(torch.finfo(logits.dtype).eps / torch.finfo(torch.float32).eps, 1)
    finite = logits[logits.isfinite()].double().abs()
    return coarseness * ROUNDINGS + math.sqrt(logits.shape[-1]) + 8 * finite.amax().item()


def _targets(draw: Draw, logits: Tensor) -> Tensor:
    """Any token at each position, but none that is impossible."""
    return torch.where(logits == MINUS_INFINITY, MINUS_INFINITY, draw.normal(*logits.shape)).argmax(-1)


def _call(logits: Tensor, targets: Tensor, **how: object) -> Call:
    return Call("", FUNCTION, {"logits": logits, "targets": targets}, **how)


def _case(name: str, title: str, logits: Tensor, targets: Tensor, hint: str = "") -> Case:
    return Case(name, title, _call(logits, targets), growth=_growth(logits), output_scale=1.0, hint=hint, what="loss")


def _gradient_case(name: str, title: str, logits: Tensor, targets: Tensor, hint: str = "") -> Case:
    """Each position's gradient is a difference of probabilities, over the number of positions."""
    call = _call(logits, targets, gradient=torch.tensor(UPSTREAM), differentiate=("logits",))
    return Case(
        name,
        title,
        call,
        growth=4 * _growth(logits),
        scale=UPSTREAM / targets.numel(),
        aspects=frozenset({Aspect.GRADIENTS}),
        hint=hint,
    )


def values(draw: Draw) -> Iterator[Case]:
    """The example of spec.md, vocabularies of several sizes, and long sums in half precision."""
    logits = 2 * draw.normal(5, 7)
    yield _case("usual", "5 positions, 7 tokens", logits, _targets(draw, logits))
    yield _case("example", "the example in the exercise", torch.tensor([[0.0, math.log(3.0)]]), torch.tensor([0]))
    logits = 2 * draw.normal(3, 300)
    yield _case("vocabulary", "3 positions, 300 tokens", logits, _targets(draw, logits))
    logits = 2 * draw.normal(300, 3)
    yield _case("positions", "300 positions, 3 tokens", logits, _targets(draw, logits))
    rising = 2 * draw.normal(3, 1300) + torch.linspace(0, 40, 1300)
    scaled = "A running sum has to be scaled anew whenever the maximum grows."
    yield _case("rising", "1,300 tokens, later ones with larger logits", rising, _targets(draw, rising), scaled)
    first = "Token 0 is a token like any other."
    yield _case("first-token", "the first token everywhere", 2 * draw.normal(4, 3), torch.zeros(4).long(), first)
    last = "The last token is part of the vocabulary."
    yield _case("last-token", "the last token everywhere", 2 * draw.normal(4, 3), torch.full((4,), 2), last)
    stalls = Hint("In half precision a long sum stops growing: compute in float32.", Flaw.VALUES)
    logits = (0.01 * draw.normal(2, 8000)).half()
    yield _case("float16-vocabulary", "float16, 8,000 tokens", logits, _targets(draw, logits), stalls)
    logits = torch.tensor([1.0, 0.0]).half() * (1 + 0.1 * draw.normal(12_000, 1)).half()
    targets = torch.zeros(12_000, dtype=torch.int64)
    yield _case("float16-positions", "float16, 12,000 positions", logits, targets, stalls)


def leading_axes(draw: Draw) -> Iterator[Case]:
    """The tokens are the last axis; all axes before it are positions."""
    hint = "The vocabulary is the last axis, and all axes before it are positions. The result is one number."
    for name, shape, title in (
        ("none", (5,), "a single position: logits of shape (vocab_size,)"),
        ("two", (2, 3, 5), "logits of shape (2, 3, 5)"),
        ("three", (2, 4, 3, 5), "logits of shape (2, 4, 3, 5)"),
        ("one-each", (1, 1, 5), "one sequence of one position"),
        ("square", (4, 4), "as many positions as tokens"),
        ("cube", (3, 3, 3), "all axes equally long"),
    ):
        logits = 2 * draw.normal(*shape)
        yield _case(name, title, logits, _targets(draw, logits), hint)


def large_logits(draw: Draw) -> Iterator[Case]:
    """exp overflows early and underflows as early, and the logarithm of zero is no loss."""
    hint = Hint("exp of a large number is infinite. What may be subtracted?", Flaw.VALUES, Flaw.NOT_FINITE)
    for name, offset in (("high", 1000), ("low", -1000)):
        logits = draw.normal(3, 6) + offset
        yield _case(name, f"all logits near {offset}", logits, _targets(draw, logits), hint)
    own = Hint("Subtract from each position its own maximum.", Flaw.VALUES, Flaw.NOT_FINITE)
    logits = draw.normal(3, 5) + torch.tensor([[-400.0], [0.0], [400.0]])
    yield _case("levels", "positions on different levels", logits, _targets(draw, logits), own)
    whole = Hint("The probability of such a target is zero in float32, but its loss is finite.", *Flaw)
    logits = draw.normal(3, 5)
    targets = _targets(draw, logits)
    below = logits.scatter_add(-1, targets[:, None], torch.full((3, 1), -900.0))
    yield _case("surprised", "targets far below the other logits", below, targets, whole)
    above = logits.scatter_add(-1, targets[:, None], torch.full((3, 1), 250.0))
    yield _case("sure", "targets far above the other logits", above, targets, whole)
    one = torch.where(torch.tensor([[True], [False], [False]]), below, logits)
    yield _case("one-surprise", "one target far below the other logits", one, targets, whole)
    deep = logits.scatter_add(-1, targets[:, None], torch.full((3, 1), -95.0))
    yield _case("deep", "targets with probabilities near exp(-95)", deep, targets, whole)
    unlikely = logits.scatter_add(-1, targets[:, None], torch.full((3, 1), -25.0))
    yield _case("unlikely", "targets with probabilities near exp(-25)", unlikely, targets, whole)
    logits = (draw.normal(3, 5) + 14).half()
    half = "In float16, exp of 12 is infinite already."
    yield _case("float16", "float16, all logits near 14", logits, _targets(draw, logits), half)


def _masked(draw: Draw) -> Tensor:
    """Minus infinity at one place of the first position, and in all places but one of the second."""
    logits = 2 * draw.normal(3, 5)
    logits[0, 1] = MINUS_INFINITY
    logits[1, :-1] = MINUS_INFINITY
    return logits


def minus_infinity(draw: Draw) -> Iterator[Case]:
    """Tokens that cannot come next."""
    hint = "exp of minus infinity is 0; zero times minus infinity is not a number."
    for name, offset in (("some", 0), ("high", 500), ("low", -500)):
        logits = _masked(draw) + offset
        near = f" among logits near {offset}" if offset else " in some places"
        yield _case(name, f"minus infinity{near}", logits, _targets(draw, logits), hint)
    logits = _masked(draw)
    zero = "An impossible token has no influence: its gradient is 0."
    yield _gradient_case("gradient", "the gradient with minus infinity", logits, _targets(draw, logits), zero)


def gradients(draw: Draw) -> Iterator[Case]:
    """Training needs the gradient: the probabilities, less 1 at the target, over the number of positions."""
    hint = "The gradient of the mean is the probabilities, less 1 at the target, over the number of positions."
    for name, shape in (("one", (5,)), ("positions", (4, 6)), ("sequences", (2, 3, 5))):
        logits = draw.normal(*shape)
        title = f"the gradient of logits of shape {shape}"
        yield _gradient_case(name, title, logits, _targets(draw, logits), hint)
    logits = draw.normal(3, 4)
    targets = _targets(draw, logits)
    below = logits.scatter_add(-1, targets[:, None], torch.full((3, 1), -900.0))
    surprised = "A target with a tiny probability has the largest gradient of all."
    yield _gradient_case("surprised", "the gradient where targets are far below", below, targets, surprised)


def contract(draw: Draw) -> Iterator[Case]:
    """Arguments belong to the caller, who may put other values into them: nothing of a call is remembered."""
    logits = draw.normal(3, 4)
    call = _call(logits, _targets(draw, logits), return_arguments=True)
    aspects = frozenset({Aspect.ARGUMENTS})
    yield Case("unchanged", "arguments do not change", call, growth=_growth(logits), aspects=aspects)
    for mode in GradMode:
        for name, reused in (("first", ()), ("rewritten", ("logits", "targets"))):
            title = "new values in the tensors of the previous call" if reused else "a call that is followed by another"
            title += {GradMode.NO_GRAD: ", under no_grad", GradMode.INFERENCE: ", under inference_mode"}.get(mode, "")
            logits = 2 * draw.normal(4, 3)
            call = _call(logits, _targets(draw, logits), grad_mode=mode, reused=reused)
            yield Case(f"{name}-{mode}", title, call, growth=_growth(logits), output_scale=1.0)


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged: this shows whether the library does the work."""
    logits = draw.normal(2, 3, 5)
    targets = _targets(draw, logits)
    return [
        StructureCall(_call(logits, targets)),
        StructureCall(_call(logits, targets, grad_mode=GradMode.NO_GRAD), kind="no_grad"),
        StructureCall(_call(logits.half(), targets), kind="float16"),
    ]


def workload(draw: Draw) -> Call:
    """What is timed."""
    logits = draw.normal(4, 64, 1000)
    return Call("workload", FUNCTION, {"logits": logits, "targets": logits.flip(-1).argmax(-1)})


def example(draw: Draw, shape: tuple[int, ...], offset: int = 0, gap: int = 0) -> Call:
    """What a student may try by hand; with a gap, the target lies so far below the others."""
    logits = draw.normal(*shape) + offset
    targets = _targets(draw, logits)
    return _call(logits.scatter_add(-1, targets.unsqueeze(-1), torch.full((*shape[:-1], 1), -float(gap))), targets)


EXAMPLE_SIZES = (
    {"shape": (2,)},
    {"shape": (1, 2)},
    {"shape": (2, 2)},
    {"shape": (2,), "offset": 200},
    {"shape": (2,), "gap": 200},
    {"shape": (2, 3)},
    {"shape": (2, 1, 2)},
)

FAMILIES = {
    "values": values,
    "leading-axes": leading_axes,
    "large-logits": large_logits,
    "minus-infinity": minus_infinity,
    "gradients": gradients,
    "contract": contract,
}
