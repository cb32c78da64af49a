"""The case families of mha-rope: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: batch, heads, sequence and d_head differ, theta is not 10,000.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, GradMode, StructureCall

MHA = "multihead_self_attention_with_rope"
WEIGHTS = ("q_proj_weight", "k_proj_weight", "v_proj_weight", "o_proj_weight")
QKV = ("Q", "K", "V")
LEFT_OUT = "left out"
# Whatever the sizes: cosine, sine, product and sum in the rotation of queries, and of keys; scale, shift, exp, division.
ELEMENTWISE = 12


def _arguments(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (2,),
    seq: int = 7,
    heads: int = 4,
    d_head: int = 6,
    theta: float = 500.0,
    spare: int = 9,
    positions: Tensor | str | None = "count",
    gain: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> dict:
    """Arguments in the contract's order. `spare` is how much max_seq_len exceeds what is needed; `gain` enlarges
    W_Q and W_K.
    """
    d_model = heads * d_head
    if isinstance(positions, str):
        positions = torch.arange(seq) if positions == "count" else positions
    highest = int(positions.max()) + 1 if isinstance(positions, Tensor) else seq
    weights = {name: draw.normal(d_model, d_model, dtype=dtype) / math.sqrt(d_model) for name in WEIGHTS}
    weights["q_proj_weight"] *= 1.5 * gain
    weights["k_proj_weight"] *= 1.5 * gain
    arguments = {
        "d_model": d_model,
        "num_heads": heads,
        "max_seq_len": max(seq, highest) + spare,
        "theta": theta,
        **weights,
        "in_features": draw.normal(*batch, seq, d_model, dtype=dtype),
    }
    return arguments if positions is LEFT_OUT else arguments | {"token_positions": positions}


def _growth(draw: Draw, arguments: dict) -> float:
    """How many roundings a right answer may be off by: docs/tolerance.md derives it."""
    reference = draw.reference
    x, heads = arguments["in_features"].double(), arguments["num_heads"]
    weights = [arguments[name].double() for name in WEIGHTS[:2]]
    Q, K = (reference.split_heads(reference.project(x, weight), heads) for weight in weights)
    logits = reference.scale(Q.norm(dim=-1).amax() * K.norm(dim=-1).amax(), Q.shape[-1]).item()
    positions = arguments.get("token_positions")
    farthest = x.shape[-2] if positions is None else int(positions.max())
    features, d_head, seq = math.sqrt(x.shape[-1]), math.sqrt(Q.shape[-1]), math.sqrt(x.shape[-2])
    # |logits| is bounded by |q||k|; the logits met are about a third of that bound.
    return ELEMENTWISE + seq + 2 * features + logits * (2 * features + d_head + farthest) / 3


def _case(draw: Draw, name: str, title: str, *, hint: str = "", **sizes: object) -> Case:
    arguments = _arguments(draw, **sizes)
    return Case(name, title, Call("", MHA, arguments), growth=_growth(draw, arguments), hint=hint)


def heads(draw: Draw) -> Iterator[Case]:
    """One head is plain attention; several show whether they are split, batched and merged rightly."""
    example = {"d_model": 2, "num_heads": 1, "max_seq_len": 4, "theta": 10_000.0}
    example |= dict.fromkeys(WEIGHTS, torch.eye(2)) | {"in_features": torch.eye(2)[None]}
    yield Case("example", "the example of spec.md", Call("", MHA, example), growth=_growth(draw, example))
    for count, d_head in ((1, 8), (4, 6), (8, 4), (16, 4)):
        yield _case(
            draw, str(count), f"{count} head{'s' if count > 1 else ''}", heads=count, d_head=d_head, batch=(3,), seq=6
        )
    arguments = _arguments(draw, heads=3, seq=5)
    title = "heads reordered, with W_O's columns reordered to match: the same output"
    for name, permuted in (("in-order", arguments), ("in-another-order", _with_heads_permuted(draw, arguments))):
        yield Case(name, title, Call("", MHA, permuted), growth=_growth(draw, arguments))
    yield _case(draw, "wide", "2 heads of 64 features, as in a model", heads=2, d_head=64, seq=5)


def _with_heads_permuted(draw: Draw, arguments: dict) -> dict:
    heads, d_model = arguments["num_heads"], arguments["d_model"]
    order = torch.arange(d_model).reshape(heads, -1)[draw.distinct(heads, heads)].flatten()
    rows = {name: arguments[name][order] for name in WEIGHTS[:3]}
    return arguments | rows | {"o_proj_weight": arguments["o_proj_weight"][:, order]}


def batch(draw: Draw) -> Iterator[Case]:
    """Any number of leading axes: code that counts axes from the front breaks here."""
    yield _case(draw, "one", "one batch axis: (3, seq, d_model)", batch=(3,), seq=5)
    yield _case(draw, "single", "a batch of one", batch=(1,), seq=5)
    hint = "Count axes from the end: transpose(-3, -2)."
    yield _case(draw, "none", "no batch axis: (seq, d_model)", batch=(), seq=5, hint=hint)
    yield _case(draw, "two", "two batch axes: (2, 3, seq, d_model)", batch=(2, 3), seq=5, hint=hint)
    yield _case(draw, "one-token", "a sequence of one token", batch=(2,), seq=1)
    yield _case(draw, "square", "as many tokens as heads", batch=(3,), seq=4, heads=4)
    together = _arguments(draw, batch=(3,), seq=6)
    alone = together | {"in_features": together["in_features"][1:2]}
    title = "a sequence gives the same result alone and in a batch"
    for name, arguments in (("among-others", together), ("alone", alone)):
        yield Case(name, title, Call("", MHA, arguments), growth=_growth(draw, together))
    yield _case(draw, "many", "a batch of 37", batch=(37,), seq=3)
    yield _case(draw, "three", "three batch axes: (2, 1, 3, seq, d_model)", batch=(2, 1, 3), seq=5, hint=hint)


def positions(draw: Draw) -> Iterator[Case]:
    """Positions are angles' factors, not indices into the sequence: left out, None, shifted, gapped, permuted, far."""
    seq = draw.integer(5, 8)
    left_out = "When token_positions is left out or None, positions are 0, 1, ..., seq-1."
    yield _case(draw, "left-out", "token_positions left out", positions=LEFT_OUT, seq=seq, hint=left_out)
    yield _case(draw, "none", "token_positions=None", positions=None, seq=seq, hint=left_out)
    yield _case(draw, "left-out-unbatched", "token_positions left out, no batch", batch=(), positions=LEFT_OUT, seq=seq)
    offset = draw.integer(3, 20)
    near = _arguments(draw, positions=torch.arange(seq) + offset, seq=seq)
    yield Case("offset", f"positions from {offset}", Call("", MHA, near), growth=_growth(draw, near))
    far = near | {"token_positions": near["token_positions"] + 150, "max_seq_len": near["max_seq_len"] + 150}
    title = "the same input with all positions 150 later: the same output"
    yield Case("shifted", title, Call("", MHA, far), growth=_growth(draw, far))
    gaps = draw.distinct(seq, 40).sort().values
    yield _case(draw, "gaps", "positions with gaps", positions=gaps, seq=seq)
    yield _case(draw, "permuted", "positions in any order", positions=draw.distinct(seq, 23), seq=seq)
    yield _case(draw, "one-row", "positions of shape (1, seq)", positions=draw.distinct(seq, 19)[None], seq=seq)
    yield _case(draw, "full-length", "seq equal to max_seq_len", positions=None, seq=seq, spare=0)
    last = draw.distinct(seq, 400) + 100
    yield _case(draw, "far", "the largest position is max_seq_len - 1", positions=last, seq=seq, spare=0)
    thousands = draw.distinct(seq, 1900) + 4100
    yield _case(draw, "farther", "positions of several thousand", positions=thousands, seq=seq)
    row = draw.distinct(seq, 19)[None]
    yield _case(
        draw, "one-row-two-axes", "positions of shape (1, seq), two batch axes", batch=(2, 3), positions=row, seq=seq
    )
    yield _case(draw, "reordered", "positions 0 to seq-1 in another order", positions=draw.distinct(seq, seq), seq=seq)
    nowhere = torch.zeros(seq, dtype=torch.long)
    yield _case(draw, "all-zero", "all positions 0: nothing rotates", positions=nowhere, seq=seq)


def batched_positions(draw: Draw) -> Iterator[Case]:
    """Every sequence of the batch has positions of its own; they need an axis for the heads."""
    room = "Positions of shape (batch, seq) need an axis for the heads: (batch, 1, seq)."
    rows_of = "token_positions[:seq] cuts the batch: the tokens are on the last axis."
    for name, shape, head_count, title, hint in (
        ("other-than-heads", (3,), 4, "positions (batch, seq), batch and heads differ", room),
        ("same-as-heads", (4,), 4, "positions (batch, seq), batch equals heads", room),
        ("two-axes", (2, 3), 4, "positions (batch1, batch2, seq)", room),
        ("many-sequences", (8,), 3, "positions (batch, seq), more sequences than tokens", rows_of),
        ("as-many-as-tokens", (6,), 4, "positions (batch, seq), as many sequences as tokens", ""),
    ):
        rows = math.prod(shape)
        each = torch.stack([draw.distinct(6, 31) for _ in range(rows)]).reshape(*shape, 6)
        yield _case(draw, name, title, batch=shape, seq=6, heads=head_count, positions=each, hint=hint)
    each = draw.distinct(3, 31)[:, None]
    yield _case(draw, "one-token", "positions (batch, seq) of one token each", batch=(3,), seq=1, positions=each)


def theta(draw: Draw) -> Iterator[Case]:
    """The base of the frequencies is an argument: the usual 10,000 hides a constant, a whole number one made whole."""
    for base in (37.5, 500_000.0, 10_000.0):
        name, title = f"{int(base)}", f"theta = {base:,g}"
        yield _case(draw, name, title, theta=base, d_head=8, positions=draw.distinct(7, 60))


def accuracy(draw: Draw) -> Iterator[Case]:
    """Numbers that are harder: large logits, the smallest head, longer sums, other dtypes and layouts. 67 is no
    multiple of any block.
    """
    overflow = "exp of a large score overflows: subtract the row's maximum first."
    yield _case(draw, "large-logits", "scores of several hundred", gain=4.0, hint=overflow)
    yield _case(draw, "smallest-head", "d_head = 2", d_head=2, heads=3, seq=6)
    yield _case(draw, "longer", "67 tokens, 128 features", batch=(2,), seq=67, heads=8, d_head=16)
    yield _case(draw, "float64", "float64 in, float64 out", dtype=torch.float64)
    arguments = _arguments(draw, batch=(3,))
    strided = ("in_features", *WEIGHTS)
    yield Case(
        "non-contiguous",
        "inputs that are not contiguous",
        Call("", MHA, arguments, strided=strided),
        growth=_growth(draw, arguments),
        hint="This input is not contiguous: `view` rejects it, `reshape` does not.",
    )
    arguments = _arguments(draw, batch=(3,))
    arguments["in_features"] = arguments["in_features"][:1].repeat(3, 1, 1)
    yield Case(
        "expanded",
        "a batch that repeats one sequence by expand()",
        Call("", MHA, arguments, expanded=("in_features",)),
        growth=_growth(draw, arguments),
        hint="The three rows share memory: use `reshape` instead of `view`, and do not write into the input.",
    )
    many = draw.integer(150, 250)
    yield _case(draw, "many-tokens", f"{many} tokens", seq=many, d_head=8)


def full_attention(draw: Draw) -> Iterator[Case]:
    """The first token sees the last: no causal mask in this exercise."""
    hint = "Every token attends to every token here, the later ones included."
    yield _case(draw, "first-sees-last", "every token attends to every token", seq=9, hint=hint)


def input_gradient(draw: Draw) -> Iterator[Case]:
    """Training needs the gradient of the input, in values, not only in existence."""
    for name, shape in (("batched", (2,)), ("unbatched", ())):
        yield _gradient_case(draw, name, f"gradient of in_features, {name}", ("in_features",), shape)
    title = "gradient of in_features, positions (batch1, batch2, seq), in float64"
    yield _gradient_case(draw, "two-axes", title, ("in_features",), (2, 3), torch.float64)


def weight_gradients(draw: Draw) -> Iterator[Case]:
    """A weight copied into a module gets no gradient: the usual slip of a class pasted behind a function."""
    for weight in WEIGHTS:
        yield _gradient_case(draw, weight.partition("_")[0], f"gradient of {weight}", (weight,), (2,))
    title = "gradients of all weights, positions (batch1, batch2, seq), in float64"
    yield _gradient_case(draw, "two-axes", title, WEIGHTS, (2, 3), torch.float64)


def _gradient_case(
    draw: Draw, name: str, title: str, of: tuple[str, ...], shape: tuple[int, ...], dtype: torch.dtype = torch.float32
) -> Case:
    rows = draw.distinct(math.prod(shape) * 7, 60).reshape(*shape, 7) if len(shape) > 1 else torch.arange(7)
    arguments = _arguments(draw, batch=shape, positions=rows, dtype=dtype)
    upstream = draw.normal(*arguments["in_features"].shape, dtype=dtype)
    call = Call("", MHA, arguments, gradient=upstream, differentiate=of)
    return Case(name, title, call, growth=4 * _growth(draw, arguments), aspects=frozenset({Aspect.GRADIENTS}))


def _indivisible(draw: Draw) -> Iterator[Case]:
    """Of 16 features. A width that divides them is no proof that the number of heads does: 6 heads leave each 2."""
    arguments = _arguments(draw, heads=4, d_head=4)
    for name, told, heads in (
        ("indivisible", "", 3),
        ("indivisible-by-heads-alone", ", though d_head divides it", 6),
        ("more-heads-than-features", ": more heads than features", 32),
    ):
        yield Case(
            name,
            f"a d_model not divisible by num_heads is rejected{told}",
            Call("", MHA, arguments | {"num_heads": heads}),
            raises=("AssertionError", "ValueError"),
            hint="Check d_model % num_heads first, with assert or ValueError.",
        )


def contract(draw: Draw) -> Iterator[Case]:
    """What a caller may rely on: nothing of theirs changes, a wrong size is refused, a call does not remember
    another.
    """
    yield from _unchanged(draw)
    yield from _indivisible(draw)
    first = _case(draw, "first", "a first call", theta=90.0, seq=5)
    yield first
    yield _case(draw, "second", "another call, with a different theta and sizes", theta=2000.0, seq=8, d_head=4)
    yield _case(draw, "longer-later", "a longer sequence after a shorter one", theta=90.0, seq=11)
    yield _case(draw, "other-weights", "the sizes of the first call with different weights", theta=90.0, seq=5)
    yield Case("again", "the first call once more", first.call, growth=first.growth)
    yield _case(draw, "close-theta", "the sizes of the first call with theta = 90.5", theta=90.5, seq=5)
    # A theta that no other case has: what is kept of it is float64 first.
    for name, dtype in (("in-float64", torch.float64), ("in-float32", torch.float32)):
        yield _case(draw, name, f"theta = 77, {name.replace('-', ' ')}", theta=77.0, seq=5, dtype=dtype)
    yield from _changed_in_place(draw)


CHANGED = (
    "These are the tensors of the previous call with new values: do not reuse anything computed from the old ones."
)


def _changed_in_place(draw: Draw) -> Iterator[Case]:
    """As an optimiser and a loop over batches leave them: the very same tensors, some with other values in them."""
    yield from _one_after_the_other(
        draw,
        GradMode.DEFAULT,
        ("before-the-change", "positions with gaps", ()),
        ("weights-changed", "the same tensors, weights with new values", WEIGHTS),
        ("input-changed", "the same tensors, in_features with new values", ("in_features",)),
        ("positions-changed", "the same tensors, token_positions with new values", ("token_positions",)),
    )
    yield from _parts_changed_in_place(draw)
    yield from _one_after_the_other(
        draw,
        GradMode.NO_GRAD,
        ("before-without-graph", "positions with gaps, under no_grad", ()),
        ("weights-without-graph", "the same tensors under no_grad, weights with new values", WEIGHTS),
        ("input-without-graph", "the same tensors under no_grad, in_features with new values", ("in_features",)),
    )


def _one_after_the_other(draw: Draw, mode: GradMode, *changes: tuple[str, str, tuple[str, ...]]) -> Iterator[Case]:
    arguments = _arguments(draw, positions=draw.distinct(7, 40)) | {"max_seq_len": 40}
    tensors = (*WEIGHTS, "in_features", "token_positions")
    for name, title, changed in changes:
        new = _arguments(draw, positions=draw.distinct(7, 40))
        arguments = arguments | {name: new[name] for name in changed}
        call = Call("", MHA, arguments, reused=tensors if changed else (), grad_mode=mode)
        yield Case(name, title, call, growth=_growth(draw, arguments), hint=CHANGED if changed else "")


def _parts_changed_in_place(draw: Draw) -> Iterator[Case]:
    """The same of each part alone."""
    attended = _qkv(draw, (2, 3, 5, 4)) | {"mask": _mask(draw, 5, 5)}
    for name, changed in (("attention-before", {}), ("attention-changed", {"mask": _mask(draw, 5, 5).roll(1, 0)})):
        attended = attended | changed
        call = Call("", "scaled_dot_product_attention", attended, reused=tuple(attended) if changed else ())
        title = "attention of the same tensors, the mask with new values" if changed else "attention before that"
        yield Case(name, title, call, growth=_attention_growth(attended), hint=CHANGED if changed else "")
    turned = _rope_arguments(draw, (2, 5, 8), draw.distinct(5, 30)) | {"max_seq_len": 40}
    for name, changed in (("rope-before", {}), ("rope-changed", {"token_positions": draw.distinct(5, 40)})):
        turned = turned | changed
        title = "rope of the same tensors, the positions with new values" if changed else "rope before that"
        case = _rope_case(name, title, turned, CHANGED if changed else "")
        reused = ("in_query_or_key", "token_positions") if changed else ()
        yield replace(case, call=replace(case.call, reused=reused))


def _unchanged(draw: Draw) -> Iterator[Case]:
    unchanged = frozenset({Aspect.ARGUMENTS})
    arguments = _arguments(draw, positions=draw.distinct(7, 30) + 1)  # from 0, taking off the smallest changes nothing
    yield Case(
        "unchanged",
        "the multi-head function does not change its arguments",
        Call("", MHA, arguments, return_arguments=True),
        aspects=unchanged,
    )
    part = _rope_arguments(draw, (2, 5, 8), torch.arange(5) + 2)
    yield Case(
        "rope-unchanged",
        "rope does not write into its argument",
        Call("", "rope", part, return_arguments=True),
        aspects=unchanged,
        hint="Build a new tensor instead of assigning to slices of the argument.",
    )
    masked = _qkv(draw, (2, 3, 5, 4)) | {"mask": _mask(draw, 5, 5)}
    for name, arguments, what in (
        ("attention-unchanged", _qkv(draw, (2, 5, 4)), "its arguments"),
        ("mask-unchanged", masked, "its arguments, including the mask"),
    ):
        yield Case(
            name,
            f"scaled_dot_product_attention does not write into {what}",
            Call("", "scaled_dot_product_attention", arguments, return_arguments=True),
            aspects=unchanged,
            hint="A method that ends in an underscore writes into its tensor: use the version without.",
        )


def _rope_arguments(draw: Draw, shape: tuple[int, ...], token_positions: Tensor, base: float = 700.0) -> dict:
    return {
        "d_k": shape[-1],
        "theta": base,
        "max_seq_len": int(token_positions.max()) + 5,
        "in_query_or_key": draw.normal(*shape),
        "token_positions": token_positions,
    }


def rope(draw: Draw) -> Iterator[Case]:
    """Alone, because attention cannot see everything: a constant offset or another layout of the result hides in it."""
    for name, title, shape, where, base in (
        ("at-zero", "rope at position 0 changes nothing", (2, 1, 8), torch.zeros(1, dtype=torch.long), 700.0),
        ("three-axes", "rope of (batch, seq, d_k)", (3, 6, 8), draw.distinct(6, 50), 700.0),
        ("four-axes", "rope of (batch, heads, seq, d_k)", (2, 3, 5, 6), torch.arange(5), 10_000.0),
        ("two-axes", "rope of (seq, d_k)", (7, 4), draw.distinct(7, 40), 250_000.0),
        ("batched", "rope with positions (batch, 1, seq)", (2, 3, 5, 6), draw.distinct(10, 60).reshape(2, 1, 5), 80.0),
        ("far", "rope at positions of several hundred", (2, 6, 8), draw.distinct(6, 900) + 100, 30_000.0),
        ("one-pair", "rope of a single pair, d_k = 2", (2, 4, 2), draw.distinct(4, 30), 900.0),
    ):
        yield _rope_case(name, title, _rope_arguments(draw, shape, where, base))
    # Beyond every table whose length somebody may have written down instead of max_seq_len.
    arguments = _rope_arguments(draw, (6, 8), draw.distinct(6, 1900) + 4100, 30_000.0)
    hint = "max_seq_len alone limits the positions: a table needs that many rows."
    yield _rope_case("farther", "rope at positions of several thousand", arguments, hint)
    arguments = _rope_arguments(draw, (5, 128), draw.distinct(5, 50), 10_000.0)
    wide = _rope_case("wide", "rope of 64 pairs, as in a model", arguments)
    # Of so many, some turn almost as fast as the first, and their frequencies are rounded, too.
    yield replace(wide, growth=3 * wide.growth)


def _rope_case(name: str, title: str, arguments: dict, hint: str = "") -> Case:
    growth = 16 + 2 * int(arguments["token_positions"].max())
    return Case(name, title, Call("", "rope", arguments), growth=growth, hint=hint)


def _qkv(draw: Draw, shape: tuple[int, ...], keys: int | None = None, d_v: int | None = None) -> dict:
    *lead, queries, d_k = shape
    keys = keys or queries
    return {
        "Q": 1.5 * draw.normal(*lead, queries, d_k),
        "K": 1.5 * draw.normal(*lead, keys, d_k),
        "V": draw.normal(*lead, keys, d_v or d_k),
    }


def attention(draw: Draw) -> Iterator[Case]:
    """Alone: where the scale belongs, the axis of the softmax, and the mask, True where a query may attend."""
    apart = _all_low(draw, 2)
    apart["Q"][:, ::2] *= -1
    for name, title, arguments in (
        ("three-axes", "attention of (batch, seq, d_k)", _qkv(draw, (2, 5, 8))),
        ("four-axes", "attention of (batch, heads, seq, d_k)", _qkv(draw, (2, 3, 6, 4))),
        ("other-lengths", "more keys than queries, d_v other than d_k", _qkv(draw, (2, 4, 8), keys=7, d_v=5)),
        ("none", "mask=None", _qkv(draw, (3, 4, 6)) | {"mask": None}),
    ):
        yield _attention_case(name, title, _attention_growth(arguments), arguments)
    title = "attention with some rows of scores above 200, others below -200"
    yield _attention_case("large-logits", title, _aligned_growth(apart), apart)
    hint = "The mask is True where a query may attend."
    for name, title, shape, mask in (
        ("mask", "a mask for each (query, key)", (3, 5, 8), _mask(draw, 3, 5, 5)),
        ("mask-four-axes", "a mask broadcast over batch and heads", (2, 3, 5, 4), _mask(draw, 5, 5)),
        (
            "mask-each-sequence",
            "a mask for each sequence, the same in all heads",
            (2, 3, 5, 4),
            _mask(draw, 2, 1, 5, 5),
        ),
    ):
        arguments = _qkv(draw, shape) | {"mask": mask}
        yield _attention_case(name, title, _attention_growth(arguments), arguments, hint)
    lower = "A hidden score must be below all the others, however low those are: use minus infinity."
    masked = _all_low(draw, 3) | {"mask": _mask(draw, 3, 5, 5)}
    yield _attention_case(
        "mask-low-scores", "a mask, and all scores below -200", _aligned_growth(masked), masked, lower
    )
    own = "A query sees exactly what its row of the mask allows: not even itself, if that says False."
    sizes = "A mask has a row for each query and a column for each key, whatever their numbers."
    for name, title, shape, keys, mask, advice in (
        ("mask-each-head", "a mask for each head of each sequence", (2, 3, 5, 4), 5, _mask(draw, 2, 3, 5, 5), hint),
        ("mask-of-others", "some queries do not see themselves", (2, 3, 6, 4), 6, _mask(draw, 6, 6).roll(1, -1), own),
        ("mask-other-lengths", "a mask for 4 queries and 7 keys", (2, 4, 8), 7, _mask(draw, 2, 7, 7)[:, :4], sizes),
        ("mask-one-query", "a mask for a single query", (3, 1, 8), 6, _mask(draw, 3, 6, 6)[:, :1], sizes),
    ):
        arguments = _qkv(draw, shape, keys=keys) | {"mask": mask}
        yield _attention_case(name, title, _attention_growth(arguments), arguments, advice)
    arguments = _qkv(draw, (2, 3, 5, 4)) | {"mask": _mask(draw, 5, 5)}
    call = Call("", "scaled_dot_product_attention", arguments, gradient=draw.normal(2, 3, 5, 4), differentiate=QKV)
    growth = 4 * _attention_growth(arguments)
    title = "gradients of Q, K and V with a mask"
    yield Case("gradients", title, call, growth=growth, aspects=frozenset({Aspect.GRADIENTS}))
    padded = _qkv(draw, (2, 3, 5, 4)) | {"mask": _mask(draw, 2, 1, 1, 5)}
    one_row = "A mask may have one row for all queries: let broadcasting handle the sizes."
    title = "a mask (batch, 1, 1, keys), as padding needs it"
    yield _attention_case("mask-keys", title, _attention_growth(padded), padded, one_row)


def _all_low(draw: Draw, batch: int) -> dict:
    """Keys point one way, and queries away from there: all scores are about -280."""
    arguments = _qkv(draw, (batch, 5, 8))
    return arguments | {"Q": 0.2 * arguments["Q"] - 10, "K": 0.2 * arguments["K"] + 10}


def _attention_case(name: str, title: str, growth: float, arguments: dict, hint: str = "") -> Case:
    call = Call("", "scaled_dot_product_attention", arguments)
    return Case(name, title, call, growth=growth, hint=hint)


def _mask(draw: Draw, *shape: int) -> Tensor:
    """About half of the keys, and no row without any; where there are several rows, each sees itself at least."""
    mask = draw.normal(*shape) > 0
    kept = torch.eye(shape[-1], dtype=torch.bool)[-shape[-2] :]
    return mask | kept


def _attention_growth(arguments: dict) -> float:
    Q, K = arguments["Q"], arguments["K"]
    logits = (Q.norm(dim=-1).amax() * K.norm(dim=-1).amax()).item() / math.sqrt(Q.shape[-1])
    return ELEMENTWISE + math.sqrt(K.shape[-2]) + logits * (2 + math.sqrt(Q.shape[-1]))


def _aligned_growth(arguments: dict) -> float:
    """Of queries and keys that point one way: their logits meet the bound, of which others reach a third."""
    return 3 * _attention_growth(arguments)


# bfloat16 keeps three digits; right code is off by 0.004 of the largest value, measured over many solutions.
BFLOAT16_GROWTH = 3e-2 / torch.finfo(torch.float32).eps


def unusual(draw: Draw) -> Iterator[tuple[Case, bool]]:
    """What the contract leaves open, and whether refusing it is an answer: remarks, never points."""
    half = _arguments(draw, dtype=torch.bfloat16, d_head=8)
    yield (
        Case(
            "half-precision",
            "Inputs and weights in bfloat16",
            Call("half-precision", MHA, half),
            growth=BFLOAT16_GROWTH,
            hint="Models are trained like this: give cosines and sines the dtype of the tensor they rotate.",
        ),
        False,
    )
    narrow = _arguments(draw, positions=torch.arange(7, dtype=torch.int32) * 3)
    yield (
        Case(
            "int32-positions",
            "Positions as an int32 tensor",
            Call("int32-positions", MHA, narrow),
            growth=_growth(draw, narrow),
            hint="Some code uses int32; .long() handles both.",
        ),
        False,
    )
    beyond = _arguments(draw, positions=torch.arange(7) + 40) | {"max_seq_len": 32}
    yield (
        Case(
            "beyond-max-seq-len",
            "Positions of max_seq_len and more",
            Call("beyond-max-seq-len", MHA, beyond),
            growth=_growth(draw, beyond),
            hint="Callers must not ask for this, but an error would be better than a wrong number.",
        ),
        True,
    )
    part = _rope_arguments(draw, (2, 5, 8), torch.arange(5) + 2)
    yield (
        Case(
            "rope-non-contiguous",
            "rope of a transposed tensor",
            Call("rope-non-contiguous", "rope", part, strided=("in_query_or_key",)),
            growth=16 + 2 * 7,
            hint="A view of a transposed tensor is often impossible; reshape copies when it needs to.",
        ),
        False,
    )


def structure(draw: Draw) -> list[StructureCall]:
    """Calls that are watched, not judged: some numbers of heads of the same width, two of which nobody can know; these
    two in calls that are another kind in every way, and in calls without a graph, for a loop or another attention could
    hide in any of them; then each part alone.
    """
    sizes = {"batch": (draw.integer(2, 4),), "seq": draw.integer(5, 9), "d_head": draw.choice((4, 6, 8))}
    fewer, more, many = draw.choice((2, 4)), draw.choice((10, 12, 14)), draw.integer(150, 250)
    somewhere = {GradMode.NO_GRAD: draw.distinct(sizes["seq"], 30)[None], GradMode.INFERENCE: None}
    calls = []
    for n in (1, fewer, more, 16):
        calls.append(StructureCall(Call("", MHA, _arguments(draw, heads=n, **sizes)), n))
    for n in (fewer, more):
        arguments = _arguments(draw, heads=n, **sizes | {"batch": (), "positions": LEFT_OUT, "dtype": torch.float64})
        of = ("in_features", *WEIGHTS)
        calls.append(StructureCall(Call("", MHA, arguments, differentiate=of), n, "training"))
        arguments = _arguments(draw, heads=n, **sizes | {"seq": many})
        calls.append(StructureCall(Call("", MHA, arguments), n, "many-tokens"))
        for mode, positions in somewhere.items():
            arguments = _arguments(draw, heads=n, **sizes | {"positions": positions})
            calls.append(StructureCall(Call("", MHA, arguments, grad_mode=mode), n, mode))
    calls.append(StructureCall(Call("", "rope", _rope_arguments(draw, (2, 5, 8), torch.arange(5)))))
    q = _qkv(draw, (2, 5, 8))
    calls.append(StructureCall(Call("", "scaled_dot_product_attention", q)))
    return calls


def workload(draw: Draw, seq: int = 128) -> Call:
    """What is timed: large enough that arithmetic outweighs Python, small enough for a second."""
    return Call("workload", MHA, _arguments(draw, heads=8, d_head=16, batch=(4,), seq=seq, theta=10_000.0))


FAMILIES = {
    "heads": heads,
    "batch": batch,
    "positions": positions,
    "batched-positions": batched_positions,
    "theta": theta,
    "full-attention": full_attention,
    "accuracy": accuracy,
    "input-gradient": input_gradient,
    "weight-gradients": weight_gradients,
    "contract": contract,
    "rope": rope,
    "attention": attention,
}


# From small to large: the first that goes wrong in a student's code is shown, so each adds one thing.
EXAMPLE_SIZES = (
    {"seq": 2, "heads": 1, "d_head": 2},
    {"seq": 2, "heads": 2, "d_head": 2},
    {"seq": 3, "heads": 2, "d_head": 2, "batch": (2,)},
    {"seq": 3, "heads": 2, "d_head": 4, "theta": 100.0},
    {"seq": 3, "heads": 1, "d_head": 2, "positions": torch.tensor([5, 0, 2])},
    {"seq": 2, "heads": 2, "d_head": 2, "batch": (3,), "positions": torch.tensor([[5, 0], [1, 2], [3, 7]])},
    {"seq": 2, "heads": 2, "d_head": 2, "batch": (2, 1)},
    {"seq": 2, "heads": 1, "d_head": 2, "scale": 60},
    {"seq": 2, "heads": 1, "d_head": 2, "dtype": torch.float64},
)


def example(
    draw: Draw,
    *,
    seq: int,
    heads: int,
    d_head: int,
    batch: tuple[int, ...] = (),
    theta: float = 10_000.0,
    positions: Tensor | list | None = None,  # a list where a question describes an input
    scale: float = 1,
    dtype: torch.dtype = torch.float32,
) -> Call:
    """A call that is small enough to be read. Nothing of a paper is in it."""
    d_model = heads * d_head
    weights = {name: draw.normal(d_model, d_model, dtype=dtype) for name in WEIGHTS}
    weights["q_proj_weight"] = weights["q_proj_weight"] * scale
    arguments = {"d_model": d_model, "num_heads": heads, "max_seq_len": 8, "theta": theta, **weights}
    arguments["in_features"] = draw.normal(*batch, seq, d_model, dtype=dtype)
    if positions is not None:
        arguments["token_positions"] = torch.as_tensor(positions)
    return Call("", MHA, arguments)
