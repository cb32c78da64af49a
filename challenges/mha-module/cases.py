"""The case families of mha-module: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: batch, tokens, context_length, heads, the width of a head, d_in and d_out
all differ. Weights are given by their role: sandbox/harness.py hands them to the student's module.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from grader.authoring import Call, Case, Draw, StructureCall

MHA, CAUSAL, WRAPPER = "MultiHeadAttention", "CausalAttention", "MultiHeadAttentionWrapper"
ROLES = ("query", "key", "value")
# Exp, sum and division of the softmax, the mask, scaling, biases: one rounding each, whatever the sizes.
ELEMENTWISE = 8

# Six tokens of three features, with a seed: values that are known to many readers.
KNOWN_SEED = 123
KNOWN_TOKENS = (
    (0.43, 0.15, 0.89),
    (0.55, 0.87, 0.66),
    (0.57, 0.85, 0.64),
    (0.22, 0.58, 0.33),
    (0.77, 0.25, 0.10),
    (0.05, 0.80, 0.55),
)
KNOWN_EXAMPLES: tuple = (
    ("example", "the example in the exercise: MultiHeadAttention with seed 123", MHA, 2, 2),
    ("example-wrapper", "the example in the exercise: MultiHeadAttentionWrapper with seed 123", WRAPPER, 2, 2),
    ("example-causal", "one CausalAttention with seed 123", CAUSAL, 2, None),
)
ORDER = "With a seed, the order in which you create the layers matters: W_query, W_key, W_value, then out_proj, each an nn.Linear."
SHORTER = "x may have fewer tokens than context_length: take only the corner of the mask that these tokens need."


def _arguments(
    draw: Draw,
    entry: str = MHA,
    *,
    batch: int = 3,
    tokens: int = 7,
    spare: int = 4,
    heads: int = 4,
    width: int = 6,
    d_in: int = 10,
    bias: bool = False,
    dropout: float = 0.0,
    gain: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> dict:
    """Arguments in the contract's order, then the input, then a weight and a bias for each role.

    `spare` is how much context_length exceeds the tokens; `gain` enlarges the query and the key weights. The biases are
    given in any case: a module that should have none does not take them.
    """
    d_out = width if entry == WRAPPER else heads * width
    sizes = {"d_in": d_in, "d_out": d_out, "context_length": tokens + spare, "dropout": dropout}
    if entry != CAUSAL:
        sizes["num_heads"] = heads
    rows = heads * width
    weights = {f"{role}_weight": draw.normal(rows, d_in, dtype=dtype) / math.sqrt(d_in) for role in ROLES}
    for role in ROLES[:2]:
        weights[f"{role}_weight"] *= 1.5 * gain
    weights |= {f"{role}_bias": draw.normal(rows, dtype=dtype) for role in ROLES}
    if entry == MHA:
        weights["output_weight"] = draw.normal(rows, rows, dtype=dtype) / math.sqrt(rows)
        weights["output_bias"] = draw.normal(rows, dtype=dtype)
    return sizes | {"qkv_bias": bias, "x": draw.normal(batch, tokens, d_in, dtype=dtype)} | weights


def _heads(arguments: dict) -> int:
    return arguments.get("num_heads", 1)


def _growth(arguments: dict) -> float:
    """How many roundings a right answer may be off by: docs/tolerance.md derives it."""
    x = arguments["x"].double()
    d_in, tokens = math.sqrt(x.shape[-1]), math.sqrt(x.shape[-2])
    if "query_weight" not in arguments:  # nn.Linear's own weights: logits stay below one
        return ELEMENTWISE + tokens + 2 * d_in + math.sqrt(arguments["d_out"])
    rows = arguments["query_weight"].shape[0]
    width = rows // _heads(arguments)
    largest = []
    for role in ROLES[:2]:
        projected = x @ arguments[f"{role}_weight"].double().mT + arguments["qkv_bias"] * arguments[f"{role}_bias"]
        largest.append(projected.unflatten(-1, (-1, width)).norm(dim=-1).amax().item())
    # |logits| is bounded by |q||k|; the logits met are about a third of that bound.
    logits = math.prod(largest) / math.sqrt(width)
    return ELEMENTWISE + tokens + d_in + math.sqrt(rows) + logits * (2 * d_in + math.sqrt(width)) / 3


def _case(
    draw: Draw, name: str, title: str, entry: str = MHA, *, hint: str = "", given: dict | None = None, **sizes: object
) -> Case:
    """`given` goes to the harness, or replaces what was drawn."""
    arguments = _arguments(draw, entry, **sizes) | (given or {})
    return Case(name, title, Call("", entry, arguments), growth=_growth(arguments), hint=hint)


def _known(entry: str, d_out: int, heads: int | None) -> dict:
    tokens = torch.tensor(KNOWN_TOKENS)
    return _seeded(entry, 3, d_out, 6, heads, torch.stack((tokens, tokens)), KNOWN_SEED)


def _seeded(entry: str, d_in: int, d_out: int, context: int, heads: int | None, x: Tensor, seed: int) -> dict:
    sizes = {"d_in": d_in, "d_out": d_out, "context_length": context, "dropout": 0.0}
    if entry != CAUSAL:
        sizes["num_heads"] = heads
    return sizes | {"qkv_bias": False, "x": x, "seed": seed}


def seeded(draw: Draw) -> Iterator[Case]:
    """With a seed, the module's own first weights give the same numbers: something to check by hand."""
    for name, title, entry, d_out, heads in KNOWN_EXAMPLES:
        arguments = _known(entry, d_out, heads)
        yield Case(name, title, Call("", entry, arguments), growth=_growth(arguments), hint=ORDER)
    x, seed = draw.normal(2, 5, 7), draw.integer(1, 10_000)
    arguments = _seeded(MHA, 7, 12, 8, 3, x, seed)
    yield Case(
        "other", f"MultiHeadAttention with seed {seed}", Call("", MHA, arguments), _growth(arguments), hint=ORDER
    )


def heads(draw: Draw) -> Iterator[Case]:
    """One head is plain attention; several show whether they are split, batched and merged rightly."""
    for count, width in ((1, 8), (2, 7), (4, 6), (8, 4), (16, 3)):
        title = f"{count} head{'s' if count > 1 else ''} of {width} features"
        yield _case(draw, str(count), title, heads=count, width=width, tokens=6)
    yield _case(draw, "as-many-as-tokens", "as many heads as tokens", heads=5, tokens=5)
    yield _case(draw, "wide", "2 heads of 64 features, as in a model", heads=2, width=64, tokens=5)


def lengths(draw: Draw) -> Iterator[Case]:
    """context_length is the longest sequence: most are shorter, and the mask must follow."""
    for name, title, tokens, spare in (
        ("full", "as many tokens as context_length", 8, 0),
        ("one-less", "one token fewer than context_length", 7, 1),
        ("much-shorter", "5 tokens, with a context_length of 40", 5, 35),
        ("two", "two tokens", 2, 9),
    ):
        yield _case(draw, name, title, tokens=tokens, spare=spare, hint=SHORTER if spare else "")


def batch(draw: Draw) -> Iterator[Case]:
    """The smallest and odd sizes: a batch of one, one token, one batch after another."""
    yield _case(draw, "one", "a batch of one", batch=1)
    yield _case(draw, "one-token", "sequences of one token", tokens=1, batch=4)
    yield _case(draw, "one-of-one", "a single token in a batch of one", tokens=1, batch=1)
    yield _case(draw, "five", "a batch of five", batch=5, tokens=4)
    yield _case(draw, "as-many-as-heads", "as many sequences as heads", batch=4, heads=4)
    yield _case(draw, "many", "a batch of 37", batch=37, tokens=3)


def causality(draw: Draw) -> Iterator[Case]:
    """A token may look at itself and at earlier ones. What comes later has no influence."""
    hint = "A token attends to itself and to earlier tokens; later ones must have a weight of exactly zero."
    yield _case(draw, "ten-tokens", "ten tokens, none sees a later one", tokens=10, hint=hint)
    arguments = _arguments(draw, tokens=8) | {"measure": "opening"}
    growth = _growth(arguments | {"x": arguments["x"][:, :4].clone()})
    arguments["x"][:, 4:] *= 1000.0
    title = "the first half of the tokens, with the other half 1,000 times as large"
    yield Case("loud", title, Call("", MHA, arguments), growth=growth, hint=hint)
    yield _case(draw, "two-tokens", "two tokens: the first sees only itself", tokens=2, hint=hint)
    yield _zero_token_case(draw, MHA)


def _zero_token_case(draw: Draw, entry: str, **sizes: object) -> Case:
    """Its scores are exactly zero: nobody may take them for those that a triangle of the scores leaves out."""
    arguments = _arguments(draw, entry, **sizes)
    arguments["x"][:, 3] = 0
    title = "a token of zeros in the middle: scores of zero hide nothing"
    hint = "What is hidden depends only on the order of the tokens, never on the scores: build the mask from ones."
    return Case("zero-token", title, Call("", entry, arguments), growth=_growth(arguments), hint=hint)


def bias(draw: Draw) -> Iterator[Case]:
    """qkv_bias=True gives queries, keys and values a bias; out_proj always has one."""
    hint = "qkv_bias says whether W_query, W_key and W_value have a bias; out_proj always has one."
    yield _case(draw, "with", "qkv_bias=True", bias=True, hint=hint)
    yield _case(draw, "without", "qkv_bias=False", bias=False, hint=hint)
    yield _case(draw, "with-one-head", "qkv_bias=True, one head", bias=True, heads=1, width=9, hint=hint)
    yield _left_out(draw, MHA, hint)


def _left_out(draw: Draw, entry: str, hint: str, **sizes: object) -> Case:
    arguments = _arguments(draw, entry, **sizes)
    growth = _growth(arguments)
    del arguments["qkv_bias"]
    return Case("left-out", "qkv_bias left out: no biases", Call("", entry, arguments), growth, hint=hint)


def widths(draw: Draw) -> Iterator[Case]:
    """d_in is what comes in, d_out what goes out; the heads share d_out."""
    hint = "Heads share d_out; d_in is only the width of x."
    yield _case(draw, "narrow-in", "d_in smaller than d_out", d_in=5, hint=hint)
    yield _case(draw, "wide-in", "d_in larger than d_out", d_in=31, width=5, hint=hint)
    yield _case(draw, "multiple", "d_in twice d_out", d_in=24, heads=3, width=4, hint=hint)
    yield _case(draw, "one-feature", "heads of one feature", heads=6, width=1, hint=hint)


def _numbers_of_heads(draw: Draw) -> Iterator[StructureCall]:
    """Some numbers of heads of the same width, and the same in training and with many tokens, where a loop could hide;
    and numbers that nobody fills up with idle rounds. Some kinds have odd numbers.
    """
    even, odd, many = draw.few_and_more(odd=False), draw.few_and_more(odd=True), draw.integer(150, 250)
    for kind, counts, tokens, of in (
        ("", (1, *even, 16), 5, ()),
        ("training", odd, 5, ("x",)),
        ("one-token", draw.choice((odd, even)), 1, ()),
        ("many-tokens", draw.choice((odd, even)), many, ()),
    ):
        for n in counts:
            arguments = _arguments(draw, heads=n, width=4, tokens=tokens) | {"training": kind == "training"}
            yield StructureCall(Call("", MHA, arguments, differentiate=of), n, kind)
    for n in draw.many_and_more(odd=draw.choice((False, True))):
        arguments = _arguments(draw, heads=n, width=2, tokens=3, batch=1)
        yield StructureCall(Call("", MHA, arguments), n, "many-heads")


def structure(draw: Draw) -> list[StructureCall]:
    """Calls that are watched, not judged: several numbers of heads, then the other classes."""
    return [
        *_numbers_of_heads(draw),
        StructureCall(Call("", CAUSAL, _arguments(draw, CAUSAL, heads=1))),
        StructureCall(Call("", WRAPPER, _arguments(draw, WRAPPER, heads=2))),
    ]


def workload(draw: Draw, seq: int = 128) -> Call:
    """What is timed: large enough that arithmetic outweighs Python, small enough for a second."""
    return Call("workload", MHA, _arguments(draw, heads=8, width=16, batch=4, tokens=seq, d_in=96))


FAMILIES = {
    "seeded": seeded,
    "heads": heads,
    "lengths": lengths,
    "batch": batch,
    "causality": causality,
    "bias": bias,
    "widths": widths,
}
