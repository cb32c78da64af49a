"""The case families of mha-functional: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: batch, heads, lengths and d_head differ, except where a case says so. q, k
and v are always three different tensors; that L_k differs from L_q is a family of its own, for code often forgets it.
Every row of every mask leaves at least one key; outside of the family `masks` it hides at least one too, so that a mask
read the wrong way round still has an answer there, and loses that family alone.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from grader.authoring import Call, Case, Draw, StructureCall

MHA = "multi_head_attention"
INPUTS, WEIGHTS = ("q", "k", "v"), ("in_proj_weight", "out_proj_weight")
LEFT_OUT = "left out"
# Exp, sum, division and the mask: one rounding each, whatever the sizes.
ELEMENTWISE = 8
POLARITY = "1 or True in the mask means that this query must not see this key."


def _arguments(
    draw: Draw,
    *,
    batch: int = 3,
    queries: int = 5,
    keys: int | None = None,
    heads: int = 4,
    d_head: int = 6,
    mask: Tensor | str | None = None,
    gain: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> dict:
    """Arguments in the contract's order. Without `keys` there are as many as queries; `gain` enlarges the weights of
    queries and keys.
    """
    d_model, keys = heads * d_head, keys or queries
    in_proj = draw.normal(3 * d_model, d_model, dtype=dtype) / math.sqrt(d_model)
    in_proj[: 2 * d_model] *= 1.5 * gain
    arguments = {
        "q": draw.normal(batch, queries, d_model, dtype=dtype),
        "k": draw.normal(batch, keys, d_model, dtype=dtype),
        "v": draw.normal(batch, keys, d_model, dtype=dtype),
        "num_heads": heads,
        "d_model": d_model,
        "mask": mask,
        "in_proj_weight": in_proj,
        "out_proj_weight": draw.normal(d_model, d_model, dtype=dtype) / math.sqrt(d_model),
    }
    return {name: value for name, value in arguments.items() if not isinstance(value, str)}


def _mask(draw: Draw, *shape: int) -> Tensor:
    """Boolean. Each row hides some keys and leaves some, at random."""
    order = draw.normal(*shape).argsort(dim=-1).argsort(dim=-1)
    hidden = torch.tensor([draw.integer(1, shape[-1] - 1) for _ in range(math.prod(shape[:-1]))])
    return order < hidden.reshape(*shape[:-1], 1)


def _growth(draw: Draw, arguments: dict) -> float:
    """How many roundings a right answer may be off by: docs/tolerance.md derives it."""
    reference = draw.reference
    doubles = {name: value.double() for name, value in arguments.items() if isinstance(value, Tensor)}
    Q, K, _ = reference.project_inputs(*(doubles[name] for name in INPUTS), doubles["in_proj_weight"])
    Q, K = (reference.split_heads(x, arguments["num_heads"]) for x in (Q, K))
    logits = reference.scale(Q @ K.mT, Q.shape[-1]).abs().amax().item()
    features, d_head, keys = math.sqrt(arguments["d_model"]), math.sqrt(Q.shape[-1]), math.sqrt(K.shape[-2])
    # Twice for each projection: the worst of a few hundred outputs is off by more than the usual one.
    return ELEMENTWISE + keys + 4 * features + logits * (2 * features + d_head)


def _judged(draw: Draw, name: str, title: str, arguments: dict, *, hint: str = "", **more: object) -> Case:
    return Case(name, title, Call("", MHA, arguments, **more), growth=_growth(draw, arguments), hint=hint)


def _case(draw: Draw, name: str, title: str, *, hint: str = "", **sizes: object) -> Case:
    return _judged(draw, name, title, _arguments(draw, **sizes), hint=hint)


def heads(draw: Draw) -> Iterator[Case]:
    """One head is plain attention; several show whether they are split, batched and merged rightly."""
    for count, d_head in ((1, 8), (2, 4), (4, 6), (16, 2)):
        title = f"{count} head{'s' if count > 1 else ''}"
        yield _case(draw, str(count), title, heads=count, d_head=d_head, batch=3, queries=5)
    yield _case(draw, "wide", "2 heads of 64 features, as in a model", heads=2, d_head=64, batch=2)


def batch(draw: Draw) -> Iterator[Case]:
    """Sizes of one hide broadcasting mistakes and show squeezes; equal sizes hide exchanged axes."""
    yield _case(draw, "single", "a batch of one", batch=1, queries=6)
    yield _case(draw, "several", "a batch of five", batch=5, queries=4, heads=2, d_head=3)
    yield _case(draw, "one-token", "sequences of one token", batch=3, queries=1)
    yield _case(draw, "mask-left-out", "the mask argument left out", mask=LEFT_OUT, hint="mask is optional.")
    yield _case(draw, "many", "a batch of 37", batch=37, queries=3)


def cross_attention(draw: Draw) -> Iterator[Case]:
    """Keys and values may come from another sequence: nothing may take its length, or its numbers, from q."""
    hint = "k and v have their own length: the output is as long as q, the scores are (L_q, L_k)."
    longer, shorter = draw.integer(7, 10), draw.integer(2, 3)
    yield _case(draw, "more-keys", f"5 queries, {longer} keys", keys=longer, hint=hint)
    yield _case(draw, "fewer-keys", f"6 queries, {shorter} keys", queries=6, keys=shorter, hint=hint)
    masked = {"queries": 4, "keys": longer, "mask": _mask(draw, 3, 4, longer)}
    yield _case(draw, "masked", f"4 queries, {longer} keys, and a mask", **masked, hint=hint)
    same = "Queries come from q, keys from k, values from v, however alike their shapes are."
    yield _case(draw, "same-length", "three different inputs of one shape", batch=2, queries=6, hint=same)


def masks(draw: Draw) -> Iterator[Case]:
    """The masks of practice: of the future, of padding, of both, and any other."""
    yield _judged(draw, "example", "the example in the exercise", _example(), hint=POLARITY)
    seq, n = draw.integer(5, 7), 3
    future = torch.ones(seq, seq, dtype=torch.bool).triu(1)
    lengths = [draw.integer(2, seq - 1), seq, draw.integer(1, seq - 2)]
    padding = torch.stack([torch.arange(seq) >= length for length in lengths])
    for name, title, mask in (
        ("causal", "a causal mask", future.expand(n, seq, seq).clone()),
        ("padding", "a padding mask", padding[:, None].expand(n, seq, seq).clone()),
        ("causal-padding", "a causal mask and padding together", future | padding[:, None]),
        ("any", "any other mask", _mask(draw, n, seq, seq)),
        ("one-left", "each query sees one key", _all_but_one(draw, n, seq)),
        ("nothing", "a mask that hides nothing", torch.zeros(n, seq, seq, dtype=torch.bool)),
    ):
        yield _case(draw, name, title, batch=n, queries=seq, mask=mask, hint=POLARITY)
    yield _zero_token_case(draw, future)


def _zero_token_case(draw: Draw, future: Tensor) -> Case:
    """Its scores are exactly zero: nobody may take them for those that the mask hides."""
    arguments = _arguments(draw, queries=len(future), mask=future.expand(3, *future.shape).clone())
    for name in INPUTS:
        arguments[name][:, 2] = 0
    title = "a token of zeros in the middle, and a causal mask: a score of zero hides nothing"
    hint = "Only the mask says what is hidden, never the scores: a score of exactly zero is a score like any other."
    return _judged(draw, "zero-token", title, arguments, hint=hint)


def _example() -> dict:
    """One head, two tokens of two features, all weights the identity, and a mask that hides the second from the first."""
    tokens, identity = torch.eye(2)[None], torch.eye(2)
    return {
        **dict.fromkeys(INPUTS, tokens),
        "num_heads": 1,
        "d_model": 2,
        "mask": torch.tensor([[[False, True], [False, False]]]),
        "in_proj_weight": identity.repeat(3, 1),
        "out_proj_weight": identity,
    }


def _all_but_one(draw: Draw, n: int, seq: int) -> Tensor:
    seen = torch.stack([draw.distinct(seq, seq) for _ in range(n)])
    return ~torch.nn.functional.one_hot(seen, seq).bool()


def mask_kinds(draw: Draw) -> Iterator[Case]:
    """Callers write masks as they like: 1 means hidden in each of these dtypes, and never a number to add."""
    for name, dtype in (("bool", torch.bool), ("int", torch.int64), ("float", torch.float32), ("byte", torch.uint8)):
        hint = "A mask is boolean, or holds 0 and 1 as integers or floats; 1 or True hides the key."
        yield _case(draw, name, f"a mask of {dtype}", queries=6, mask=_mask(draw, 3, 6, 6).to(dtype), hint=hint)


def mask_shapes(draw: Draw) -> Iterator[Case]:
    """Whatever broadcasts to (N, L_q, L_k); the axis of the heads is nobody's business but the function's."""
    n, seq = 3, 6
    for name, shape, what in (
        ("whole", (n, seq, seq), "(N, L_q, L_k)"),
        ("pairs", (seq, seq), "(L_q, L_k)"),
        ("one", (1, seq, seq), "(1, L_q, L_k)"),
        ("padding", (n, 1, seq), "(N, 1, L_k)"),
    ):
        hint = f"A mask {what} is broadcast to (N, L_q, L_k), and all heads of a sequence share it."
        yield _case(draw, name, f"a mask {what}", queries=seq, mask=_mask(draw, *shape), hint=hint)
    hint = "The first axis of the mask is the batch, never the heads: add a separate axis for the heads."
    each = _mask(draw, 4, seq, seq)
    yield _case(draw, "batch-equals-heads", "as many sequences as heads", batch=4, queries=seq, mask=each, hint=hint)
    pairs = _mask(draw, 4, 4)
    yield _case(draw, "all-equal", "(L_q, L_k), all sizes equal", batch=4, queries=4, mask=pairs, hint=hint)


def hidden_keys(draw: Draw) -> Iterator[Case]:
    """A weight that is only nearly zero shows as soon as what it weighs is large."""
    hint = "A hidden key's weight is exactly zero: set its score to minus infinity before the softmax."
    padding = torch.arange(7) >= torch.tensor([[3], [5], [6]])
    for name, title, size_of_keys, size_of_values in (
        ("values", "the hidden values are a thousand times larger", 1.0, 1000.0),
        ("keys", "the hidden keys are three times larger", 3.0, 1.0),
    ):
        arguments = _arguments(draw, queries=7, mask=padding[:, None].expand(3, 7, 7).clone())
        growth = _growth(draw, arguments)
        for name_of, size in (("k", size_of_keys), ("v", size_of_values)):
            arguments[name_of] = torch.where(padding[..., None], size * arguments[name_of], arguments[name_of])
        yield Case(name, title, Call("", MHA, arguments), growth=growth * max(1.0, size_of_keys), hint=hint)


def weights(draw: Draw) -> Iterator[Case]:
    """Weights whose effect can be told in advance: code with weights of its own does not have it."""
    for name, title, change, hint in (
        ("identity", "all weights the identity", _as_identity, "With the identity, q, k and v arrive unchanged."),
        (
            "no-queries",
            "all queries zero",
            _without_queries,
            "Equal scores mean equal weights, so the output is the average of the values.",
        ),
        ("no-output", "an output projection of zeros", _without_output, "Zeros in out_proj_weight give zeros."),
    ):
        told = f"{hint} Use the weights that are passed in; do not create any inside."
        arguments = _arguments(draw, queries=6)
        change(arguments)
        yield _judged(draw, name, title, arguments, hint=told)


def _as_identity(arguments: dict) -> None:
    identity = torch.eye(arguments["d_model"])
    arguments |= {"in_proj_weight": identity.repeat(3, 1), "out_proj_weight": identity}


def _without_queries(arguments: dict) -> None:
    arguments["in_proj_weight"][: arguments["d_model"]] = 0


def _without_output(arguments: dict) -> None:
    arguments["out_proj_weight"] = torch.zeros_like(arguments["out_proj_weight"])


def structure(draw: Draw) -> list[StructureCall]:
    """Calls that are watched, not judged: some numbers of heads of the same width, with a mask; then three other kinds of
    call in which a loop could hide, and numbers that nobody fills up with idle rounds. Some kinds have odd numbers.
    """
    calls = []
    even, odd, many = draw.few_and_more(odd=False), draw.few_and_more(odd=True), draw.integer(150, 250)
    for kind, counts, queries, mask, of in (
        ("", (1, *even, 16), 5, _mask(draw, 2, 5, 5), ()),
        ("unmasked", odd, 5, None, ()),
        ("gradient", draw.choice((odd, even)), 5, _mask(draw, 2, 5, 5), (*INPUTS, *WEIGHTS)),
        ("many-tokens", draw.choice((odd, even)), many, None, ()),
    ):
        for count in counts:
            arguments = _arguments(draw, heads=count, d_head=4, batch=2, queries=queries, mask=mask)
            calls.append(StructureCall(Call("", MHA, arguments, differentiate=of), count, kind))
    for count in draw.many_and_more(odd=draw.choice((False, True))):
        arguments = _arguments(draw, heads=count, d_head=2, batch=1, queries=3, mask=None)
        calls.append(StructureCall(Call("", MHA, arguments), count, "many-heads"))
    return calls


def workload(draw: Draw, seq: int = 128) -> Call:
    """What is timed: large enough that arithmetic outweighs Python, small enough for a second."""
    future = torch.ones(seq, seq, dtype=torch.bool).triu(1).expand(4, seq, seq).clone()
    return Call("workload", MHA, _arguments(draw, heads=8, d_head=16, batch=4, queries=seq, mask=future))


FAMILIES = {
    "heads": heads,
    "batch": batch,
    "cross-attention": cross_attention,
    "masks": masks,
    "mask-kinds": mask_kinds,
    "mask-shapes": mask_shapes,
    "hidden-keys": hidden_keys,
    "weights": weights,
}
