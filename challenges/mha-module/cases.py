"""The case families of mha-module: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: batch, tokens, context_length, heads, the width of a head, d_in and d_out
all differ. Weights are given by their role: sandbox/harness.py hands them to the student's module.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, StructureCall

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
    ("example", "the example of spec.md: MultiHeadAttention with seed 123", MHA, 2, 2),
    ("example-wrapper", "the example of spec.md: MultiHeadAttentionWrapper with seed 123", WRAPPER, 2, 2),
    ("example-causal", "one CausalAttention with seed 123", CAUSAL, 2, None),
)
ORDER = "With a seed, the order in which you create the layers matters: W_query, W_key, W_value, then out_proj, each an nn.Linear."
WEIGHTS = "number of trainable weights"
DIFFER = "answer to 'do two calls differ?' (1 is yes, 0 is no)"
FATES = (
    "list of answers about single tokens (is each feature dropped or doubled? all of a head together? some dropped? some "
    "kept? enlarged by how much?)"
)
DROPPED = (
    "list of answers about dropout (what is kept is enlarged by how much? is a weight dropped as a whole? about as many as "
    "asked for? other ones in each sequence? in each head? for each query? of each key? in a second call? under no_grad "
    "too? none in eval()? are gradients those of what was kept?)"
)
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
        ("one-less", "one token less than context_length", 7, 1),
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


def accuracy(draw: Draw) -> Iterator[Case]:
    """Numbers that are harder: large logits, longer sums, other dtypes and layouts."""
    overflow = "exp of a large score overflows: subtract the row's maximum first, or use torch.softmax."
    yield _case(draw, "large-logits", "scores of several hundred", gain=8.0, tokens=9, hint=overflow)
    apart = "Each row needs its own maximum, and a hidden score must be below all the others: use minus infinity."
    arguments = _scores_far_apart(draw)
    title = "every other token's scores above 200, the rest below -200"
    # Here the logits meet the bound of which _growth takes a third.
    yield Case("scores-far-apart", title, Call("", MHA, arguments), growth=3 * _growth(arguments), hint=apart)
    yield _case(draw, "longer", "67 tokens, 128 features", batch=2, tokens=67, heads=8, width=16, d_in=96)
    yield _case(draw, "float64", "the module and its input in float64", dtype=torch.float64, bias=True)
    arguments = _arguments(draw)
    yield Case(
        "non-contiguous",
        "an input that is not contiguous",
        Call("", MHA, arguments, strided=("x",)),
        growth=_growth(arguments),
        hint="This input is not contiguous: `view` rejects it, `reshape` does not.",
    )
    many = draw.integer(150, 250)
    yield _case(draw, "many-tokens", f"{many} tokens", batch=2, tokens=many)


def _scores_far_apart(draw: Draw) -> dict:
    """A query comes from feature 0, whose sign alternates; a key from feature 1, which hardly differs: each row of
    scores lies far from the next, and close together itself.
    """
    arguments = _arguments(draw, heads=2)
    x = arguments["x"]
    x[..., 0] = 10 * (-1) ** torch.arange(x.shape[-2])
    x[..., 1] = 10 + 0.2 * x[..., 1]
    for role, feature in (("query", 0), ("key", 1)):
        arguments[f"{role}_weight"] = torch.eye(x.shape[-1])[feature].repeat(2 * 6, 1)
    return arguments


def input_gradient(draw: Draw) -> Iterator[Case]:
    """Layers below learn through this one."""
    yield _gradient_case(draw, "batched", "gradient of x", "x")
    yield _gradient_case(draw, "shorter", "gradient of x, far fewer tokens than context_length", "x", spare=20)
    title = "gradient of x in float64, with qkv_bias=True"
    yield _gradient_case(draw, "float64", title, "x", bias=True, dtype=torch.float64)


def weight_gradients(draw: Draw) -> Iterator[Case]:
    """Training needs the gradient of each layer, in values, not only in existence."""
    for role in (*ROLES, "output"):
        yield _gradient_case(draw, role, f"gradient of the {role} weights", f"{role}_weight")
    yield _gradient_case(draw, "query-bias", "gradient of the query bias", "query_bias", bias=True)
    yield _gradient_case(draw, "output-bias", "gradient of the bias of out_proj", "output_bias")


def _gradient_case(draw: Draw, name: str, title: str, of: str, **sizes: object) -> Case:
    arguments = _arguments(draw, **sizes)
    upstream = draw.normal(*arguments["x"].shape[:2], arguments["d_out"], dtype=arguments["x"].dtype)
    call = Call("", MHA, arguments, gradient=upstream, differentiate=(of,))
    return Case(name, title, call, growth=4 * _growth(arguments), aspects=frozenset({Aspect.GRADIENTS}))


def dropout(draw: Draw) -> Iterator[Case]:
    """Dropout falls on the attention weights, after the softmax, and only in training."""
    in_training = "Use nn.Dropout as a layer, or pass self.training to F.dropout: eval() must switch it off."
    on_weights = "Apply dropout to the attention weights, between the softmax and the product with the values."
    random = "With dropout=0.5 in training, each call drops different weights."
    yield _case(draw, "eval", "eval(): nothing is dropped, whatever dropout is", dropout=1.0, hint=in_training)
    calm = {"measure": "differences"}
    twice = _case(draw, "eval-twice", "eval(): two calls agree", dropout=0.5, given=calm, hint=in_training)
    yield replace(twice, what=DIFFER)
    twice = _case(draw, "train-twice", "train(): two calls differ", dropout=0.5, given=calm | TRAINING, hint=random)
    yield replace(twice, what=DIFFER)
    everything = "train() with dropout=1: no attention weight is left, only the bias of out_proj"
    yield _case(draw, "everything", everything, dropout=1.0, given=TRAINING, hint=on_weights)
    yield _case(draw, "none", "train() with dropout=0", given=TRAINING)
    yield _fate_case(draw, MHA, on_weights)
    yield from _dropping_cases(draw, MHA, 4)


TRAINING = {"training": True}


def _fate_case(draw: Draw, entry: str, hint: str) -> Case:
    """Single tokens: the only attention weight of a head is dropped or doubled, and all its features with it."""
    arguments = _arguments(draw, entry, tokens=1, batch=64, dropout=0.5) | {"measure": "fates"}
    if entry == MHA:
        rows = arguments["output_weight"].shape[0]
        arguments |= {"output_weight": torch.eye(rows), "output_bias": torch.zeros(rows)}
    title = "train() with dropout=0.5: a head's only weight is dropped, or doubled"
    return Case("half", title, Call("", entry, arguments), hint=hint, what=FATES)


def _dropping_cases(draw: Draw, entry: str, heads: int, rates: Sequence[float] = (0.25, 0.75)) -> Iterator[Case]:
    """The output is the attention weights themselves: values are the tokens' numbers, twice over in each head. More than
    a thousand weights can be dropped, so that chance decides none of the answers.
    """
    hint = "Dropout decides separately for each attention weight, drops the fraction `dropout`, and divides the rest by 1 - dropout."
    tokens = 6
    for rate in rates:
        arguments = _arguments(draw, entry, batch=64, tokens=tokens, heads=heads, width=2 * tokens, dropout=rate)
        arguments["x"][..., :tokens] = numbers = torch.eye(tokens)
        arguments["value_weight"] = torch.zeros_like(arguments["value_weight"])
        arguments["value_weight"][:, :tokens] = numbers.repeat(2 * heads, 1)
        if entry == MHA:
            rows = arguments["output_weight"].shape[0]
            arguments |= {"output_weight": torch.eye(rows), "output_bias": torch.zeros(rows)}
        title = f"train() with dropout={rate}: which of the weights of several tokens are dropped"
        call = Call("", entry, arguments | {"measure": "dropping"})
        yield Case(f"share-{rate}", title, call, hint=hint, what=DROPPED)


def causal_attention(draw: Draw) -> Iterator[Case]:
    """CausalAttention alone: a single head as wide as d_out, and no output projection."""
    yield _case(draw, "alone", "CausalAttention", CAUSAL, heads=1, width=6)
    yield _case(
        draw, "shorter", "CausalAttention, fewer tokens than context_length", CAUSAL, heads=1, spare=20, hint=SHORTER
    )
    yield _case(draw, "full", "CausalAttention, as many tokens as context_length", CAUSAL, heads=1, spare=0)
    yield _case(draw, "bias", "CausalAttention with qkv_bias=True", CAUSAL, heads=1, bias=True)
    yield _left_out(draw, CAUSAL, "qkv_bias is False by default.", heads=1)
    yield _case(draw, "one-token", "CausalAttention of one token", CAUSAL, heads=1, tokens=1)
    yield _case(draw, "large-logits", "CausalAttention, scores of several hundred", CAUSAL, heads=1, gain=8.0)
    on_weights = "Apply dropout to the attention weights, between the softmax and the product with the values."
    everything = {"heads": 1, "dropout": 1.0, "hint": on_weights}
    yield _case(draw, "dropout", "CausalAttention, eval(): nothing is dropped", CAUSAL, **everything)
    yield _case(
        draw, "everything", "CausalAttention, train() with dropout=1: zero", CAUSAL, given=TRAINING, **everything
    )
    yield _zero_token_case(draw, CAUSAL, heads=1)
    yield _fate_case(draw, CAUSAL, on_weights)
    yield from _dropping_cases(draw, CAUSAL, 1)
    many = draw.integer(150, 250)
    yield _case(draw, "many-tokens", f"CausalAttention, {many} tokens", CAUSAL, heads=1, batch=2, tokens=many)


def wrapper(draw: Draw) -> Iterator[Case]:
    """The wrapper: num_heads CausalAttentions, each d_out wide, their outputs side by side."""
    hint = "Each of the num_heads heads is d_out wide; the output has num_heads * d_out features."
    yield _case(draw, "two", "two heads", WRAPPER, heads=2, hint=hint)
    yield _case(draw, "three", "three heads, fewer tokens than context_length", WRAPPER, heads=3, spare=9, hint=hint)
    yield _case(draw, "one", "one head: the same as CausalAttention", WRAPPER, heads=1, hint=hint)
    yield _case(draw, "odd", "two heads of seven features", WRAPPER, heads=2, width=7, hint=hint)
    yield _case(draw, "bias", "two heads with qkv_bias=True", WRAPPER, heads=2, bias=True, hint=hint)
    everything = "two heads in train() with dropout=1: zero"
    yield _case(draw, "everything", everything, WRAPPER, heads=2, dropout=1.0, given=TRAINING)
    yield _left_out(draw, WRAPPER, "qkv_bias is False by default.", heads=2)
    yield from _dropping_cases(draw, WRAPPER, 2, (0.25,))
    many = draw.integer(150, 250)
    yield _case(draw, "many-tokens", f"two heads, {many} tokens", WRAPPER, heads=2, batch=2, tokens=many)


def contract(draw: Draw) -> Iterator[Case]:
    """What a caller may rely on: x stays as it was, sizes that do not fit are refused, a module holds what it says."""
    arguments = _arguments(draw)
    yield Case(
        "unchanged",
        "x does not change",
        Call("", MHA, arguments, return_arguments=True),
        aspects=frozenset({Aspect.ARGUMENTS}),
    )
    yield from _indivisible(draw)
    yield from _state(draw)
    first = _case(draw, "first", "a first module", tokens=5)
    yield first
    yield _case(draw, "second", "a second module, with different sizes", tokens=9, heads=2, width=7, spare=12)
    yield Case("again", "the first module again", first.call, growth=first.growth)
    between = "Keep a module's sizes and mask on self, not in the class or in a global variable."
    yield _case(draw, "beside", "two modules side by side", given={"measure": "beside"}, hint=between)
    alone = "Calls are independent: nothing that forward keeps on self may depend on x."
    later = _case(
        draw,
        "later",
        "later calls of one module, each with a different x",
        spare=40,
        given={"measure": "later"},
        hint=alone,
    )
    yield replace(later, what="outputs of two later calls")


def _indivisible(draw: Draw) -> Iterator[Case]:
    """When the module is made: whoever makes it learns of it there, not at the first call."""
    for name, told, heads, width in (
        ("indivisible", "", 3, 4),
        ("indivisible-by-heads-alone", ", though head_dim divides it", 6, 4),
        ("more-heads-than-features", ": more heads than features", 8, 1),
    ):
        sizes = _arguments(draw, heads=4, width=width, d_in=3 * heads)  # d_in divides: it is not asked about
        yield Case(
            name,
            f"a d_out not divisible by num_heads is rejected in __init__{told}",
            Call("", MHA, sizes | {"num_heads": heads, "measure": "made"}),
            raises=("AssertionError", "ValueError"),
            hint="Check d_out % num_heads in __init__, with assert or ValueError.",
        )


def _state(draw: Draw) -> Iterator[Case]:
    trained = "Three projections {} biases, out_proj with one, and nothing else: the mask is not a parameter."
    counted = {"measure": "parameters"}
    without, with_biases = trained.format("without"), trained.format("with")
    number = _case(draw, "parameters", f"the {WEIGHTS}", given=counted, hint=without)
    yield replace(number, what=WEIGHTS)
    number = _case(draw, "parameters-bias", "the same with qkv_bias=True", bias=True, given=counted, hint=with_biases)
    yield replace(number, what=WEIGHTS)
    yield from _registered(draw)
    yield _case(draw, "saved", "state_dict holds everything another module needs", given={"measure": "saved"})


def _registered(draw: Draw) -> Iterator[Case]:
    kept = "Keep the heads in an nn.ModuleList: a plain list hides their weights from the module."
    title = f"the {WEIGHTS} of the wrapper: those of all its heads"
    number = _case(draw, "parameters-wrapper", title, WRAPPER, heads=3, given={"measure": "parameters"}, hint=kept)
    yield replace(number, what=WEIGHTS)


def _numbers_of_heads(draw: Draw) -> Iterator[StructureCall]:
    """Some numbers of heads of the same width, and the same in training and with many tokens, where a loop could hide."""
    fewer, more, many = draw.choice((2, 4)), draw.choice((10, 12, 14)), draw.integer(150, 250)
    for kind, counts, tokens, of in (
        ("", (1, fewer, more, 16), 5, ()),
        ("gradient", (fewer, more), 5, ("x",)),
        ("many-tokens", (fewer, more), many, ()),
    ):
        for n in counts:
            arguments = _arguments(draw, heads=n, width=4, tokens=tokens)
            yield StructureCall(Call("", MHA, arguments, differentiate=of), n, kind)


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
    "accuracy": accuracy,
    "input-gradient": input_gradient,
    "weight-gradients": weight_gradients,
    "dropout": dropout,
    "causal-attention": causal_attention,
    "wrapper": wrapper,
    "contract": contract,
}

EXAMPLE_CALL = """attention = MultiHeadAttention(d_in, d_out, context_length, dropout, num_heads, qkv_bias).eval()
with torch.no_grad():  # where your layers have other names, write these
    attention.W_query.weight.copy_(query_weight)
    attention.W_key.weight.copy_(key_weight)
    attention.W_value.weight.copy_(value_weight)
    attention.out_proj.weight.copy_(output_weight)
    attention.out_proj.bias.copy_(output_bias)
output = attention(x)"""
EXAMPLE_SIZES = (
    {"tokens": 2, "spare": 0, "heads": 1, "width": 2},
    {"tokens": 2, "spare": 0, "heads": 2},
    {"tokens": 3, "spare": 0, "heads": 2},
    {"tokens": 3, "spare": 2, "heads": 2},
    {"tokens": 3, "spare": 1, "heads": 2, "batch": 3},
    {"tokens": 2, "spare": 0, "heads": 2, "width": 2},
    {"tokens": 2, "spare": 0, "heads": 1, "gain": 60},
)


def example(
    draw: Draw, *, tokens: int, spare: int, heads: int, batch: int = 1, width: int = 1, gain: float = 1.0
) -> Call:
    """A call that is small enough to be read. Nothing of a paper is in it."""
    d_out, d_in = heads * width, 3
    sizes = {"d_in": d_in, "d_out": d_out, "context_length": tokens + spare, "dropout": 0.0, "num_heads": heads}
    weights = {f"{role}_weight": draw.normal(d_out, d_in) for role in ROLES}
    for role in ROLES[:2]:
        weights[f"{role}_weight"] *= gain
    weights |= {"output_weight": draw.normal(d_out, d_out), "output_bias": draw.normal(d_out)}
    return Call("", MHA, sizes | {"qkv_bias": False, "x": draw.normal(batch, tokens, d_in)} | weights)
