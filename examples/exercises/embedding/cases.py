"""The case families of embedding: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: no two axes are equally long, unless that is what is probed.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, Gives, GradMode, Normal, StructureCall

FUNCTION = "Embedding"
# A row that is looked up does not round at all, a product with 0 and 1 hardly. The rest is room: verify wants right
# answers to stay at a tenth of what they may be off by.
ROUNDINGS = 6


def _growth(weight: Tensor, places: int = 1) -> float:
    """How many float32 roundings a right answer may be off by: those of the dtype where it is coarser, of a gradient
    that is the sum of so many.
    """
    coarseness = max(torch.finfo(weight.dtype).eps / torch.finfo(torch.float32).eps, 1)
    return coarseness * (ROUNDINGS + 2 * math.sqrt(places))


def _token_ids(draw: Draw, count: int, *shape: int) -> Tensor:
    return torch.tensor([draw.integer(0, count - 1) for _ in range(math.prod(shape))]).reshape(shape)


def _arguments(draw: Draw, token_ids: Tensor, *, count: int, width: int, dtype: torch.dtype = torch.float32) -> dict:
    """In the contract's order, then the tokens and the weight that is put into the layer."""
    weight = draw.normal(count, width).to(dtype)
    return {"num_embeddings": count, "embedding_dim": width, "token_ids": token_ids, "weight": weight}


def _case(name: str, title: str, arguments: dict, hint: str = "", **given: object) -> Case:
    """`given` goes to the harness."""
    return Case(name, title, Call("", FUNCTION, arguments | given), growth=_growth(arguments["weight"]), hint=hint)


def values(draw: Draw) -> Iterator[Case]:
    """The example of spec.md, repeated tokens, large vocabularies, and a weight that changes."""
    rows = "Row t of the weight is the vector of token t."
    every = draw.distinct(7, 7)
    yield _case("usual", "every token once, in any order", _arguments(draw, every, count=7, width=4), rows)
    example = {
        "num_embeddings": 3,
        "embedding_dim": 2,
        "token_ids": torch.tensor([2, 0, 2]),
        "weight": torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    }
    yield _case("example", "the example in the exercise", example, rows)
    square = _arguments(draw, draw.distinct(5, 5), count=5, width=5)
    yield _case("square", "as many tokens as features", square, rows)
    first = "Token 0 is a token like any other."
    zeros = torch.tensor([0, 3, 0, 1])
    yield _case("first-token", "token 0 twice", _arguments(draw, zeros, count=4, width=3), first)
    large = "A token's number does not fit into a small dtype: leave it as it is."
    many = torch.tensor([4999, 130, 300, 2051, 4097, 0])
    yield _case("vocabulary", "5,000 tokens", _arguments(draw, many, count=5000, width=2), large)
    for name, dtype in (("half", torch.float16), ("bfloat16", torch.bfloat16)):
        given = _arguments(draw, many, count=5000, width=2, dtype=dtype)
        yield _case(f"vocabulary-{name}", f"5,000 tokens, {str(dtype).removeprefix('torch.')}", given, large)
    changed = "Use the weight that the layer has now: keep nothing that was computed from it."
    given = _arguments(draw, _token_ids(draw, 6, 5), count=6, width=4)
    yield _case("later", "the weight changes between two calls", given, changed, measure="later output")
    for mode in GradMode:
        title = "the weight changes in place between two calls after eval()"
        title += {GradMode.NO_GRAD: ", under no_grad", GradMode.INFERENCE: ", under inference_mode"}.get(mode, "")
        given = _arguments(draw, _token_ids(draw, 6, 5), count=6, width=4)
        case = _case(f"step-{mode}", title, given, changed, measure="output after a step")
        yield replace(case, call=replace(case.call, grad_mode=mode))


def shapes(draw: Draw) -> Iterator[Case]:
    """Each number is replaced by a row, wherever it stands."""
    hint = "The result has the axes of token_ids, and one more at the end."
    for shape in ((), (4,), (2, 3), (2, 4, 3), (1, 1), (1, 4)):
        given = _arguments(draw, _token_ids(draw, 6, *shape), count=6, width=5)
        title = f"token_ids of shape {shape}" if shape else "a single token"
        yield _case("-".join(map(str, shape)) or "single", title, given, hint)
    given = _arguments(draw, _token_ids(draw, 3, 3, 3), count=3, width=3)
    yield _case("cube", "all axes equally long", given, hint)


def _question(draw: Draw, measure: str, count: int, width: int, dtype: str = "", **how: object) -> Call:
    """About a layer as it is made."""
    arguments = {"num_embeddings": count, "embedding_dim": width, "measure": measure}
    given = arguments | ({"dtype": dtype} if dtype else {})
    return Call("", FUNCTION, given, gives=Gives.VALUES, **how)


def _is_within(first: Tensor) -> bool:
    """Within the limits, and a rounding."""
    return first.abs().amax().item() <= 3.0001


def _is_spread_out(first: Tensor) -> bool:
    """Chance does not put twenty numbers at one place."""
    _, counts = first.unique(return_counts=True)
    return int(counts.amax()) < 20


def _is_every_row_drawn(first: Tensor) -> bool:
    """None is left out, such as that of a token which stands for padding."""
    return first.double().std(dim=1).amin().item() > 0


def _are_different(both: list[Tensor]) -> bool:
    """Two layers that are made one after the other."""
    first, second = both
    return bool((first != second).any())


def first_weight(draw: Draw) -> Iterator[Case]:
    """What training begins from: the numbers differ from layer to layer, and their distribution does not."""
    hint = "The standard deviation is 1, whatever the sizes are."
    for count, width, dtype in ((1000, 64, ""), (64, 900, ""), (500, 128, "float64")):
        call = _question(draw, "first weight", count, width, dtype, random_seed=draw.integer(0, 2**31))
        title = f"the first weight of {count} tokens with {width} features" + (f", {dtype}" if dtype else "")
        distribution = Normal(0.0, 1.0, low=-3.0, high=3.0)
        yield Case(f"{count}-{width}", title, call, distribution=distribution, what="first weight", hint=hint)
    for name, measure, what, known, why in (
        ("within", "first weight", "is every number between -3 and 3?", _is_within, "Draw again what falls outside."),
        (
            "spread-out",
            "first weight",
            "does no number occur 20 times?",
            _is_spread_out,
            "What falls outside is drawn again, not moved to one place.",
        ),
        (
            "rows",
            "first weight",
            "is every row drawn, that of token 0 too?",
            _is_every_row_drawn,
            "All tokens are alike: none stands for padding.",
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
    hint = "One parameter named `weight`, of shape (num_embeddings, embedding_dim), and nothing else."
    for count, width, dtype in ((5, 3, ""), (3, 5, "float64"), (4, 2, "bfloat16"), (1, 1, "")):
        call = _question(draw, "parameters", count, width, dtype)
        title = f"the parameters of {count} tokens with {width} features" + (f", dtype=torch.{dtype}" if dtype else "")
        yield Case(f"{count}-{width}", title, call, what="parameters", hint=hint)


def _gradient_scale(gradient: Tensor, token_ids: Tensor) -> float:
    """The terms of the largest sum of the gradient, all taken as positive."""
    rows = gradient.double().abs().reshape(-1, gradient.shape[-1])
    sums = torch.zeros(int(token_ids.max()) + 1, rows.shape[-1], dtype=torch.float64)
    return sums.index_add(0, token_ids.reshape(-1), rows).amax().item()


def gradients(draw: Draw) -> Iterator[Case]:
    """Training moves the rows of the tokens that are there, each by what all its places contribute."""
    for name, token_ids, title, hint in (
        ("once", torch.tensor([4, 1, 3]), "the gradient, each token once", "A token that is not there gets zeros."),
        ("twice", torch.tensor([2, 4, 2, 0, 2]), "the gradient, one token three times", "Contributions add up."),
        ("sequences", torch.tensor([[1, 1, 0], [3, 1, 0]]), "the gradient over two sequences", "Contributions add up."),
        ("single", torch.tensor(3), "the gradient of a single token", "A token that is not there gets zeros."),
    ):
        arguments = _arguments(draw, token_ids, count=6, width=4)
        gradient = draw.normal(*token_ids.shape, 4)
        call = Call("", FUNCTION, arguments, gradient=gradient, differentiate=("weight",))
        yield Case(
            name,
            title,
            call,
            growth=_growth(arguments["weight"], token_ids.numel()),
            scale=_gradient_scale(gradient, token_ids),
            aspects=frozenset({Aspect.GRADIENTS}),
            hint=hint,
        )


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged: this shows whether the library does the work."""
    return [
        StructureCall(Call("", FUNCTION, _arguments(draw, _token_ids(draw, 6, 2, 3), count=6, width=5))),
        StructureCall(Call("", FUNCTION, _arguments(draw, _token_ids(draw, 6), count=6, width=5)), kind="single"),
    ]


def workload(draw: Draw) -> Call:
    """What is timed."""
    token_ids = draw.normal(2048).argsort().reshape(16, 128) % 1000
    return Call("workload", FUNCTION, _arguments(draw, token_ids, count=1000, width=128))


def example(draw: Draw, *, count: int, width: int, shape: tuple[int, ...] = ()) -> Call:
    """What a student may try by hand."""
    return Call("", FUNCTION, _arguments(draw, _token_ids(draw, count, *shape), count=count, width=width))


EXAMPLE_CALL = """layer = Embedding(num_embeddings, embedding_dim)
output = torch.func.functional_call(layer, {"weight": weight}, (token_ids,))"""
EXAMPLE_SIZES = (
    {"count": 2, "width": 1},
    {"count": 2, "width": 2},
    {"count": 2, "width": 2, "shape": (1,)},
    {"count": 3, "width": 2, "shape": (3,)},
    {"count": 3, "width": 2, "shape": (2, 2)},
    {"count": 2, "width": 1, "shape": (1, 2, 1)},
)

FAMILIES = {
    "values": values,
    "shapes": shapes,
    "first-weight": first_weight,
    "parameters": parameters,
    "gradients": gradients,
}
