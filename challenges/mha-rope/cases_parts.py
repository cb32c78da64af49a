"""Case families of mha-rope, run after cases.py: rope and attention, each alone."""

from dataclasses import replace


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
        ("other-lengths", "more keys than queries, d_v different from d_k", _qkv(draw, (2, 4, 8), keys=7, d_v=5)),
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
    sizes = "A mask has a row for each query and a column for each key, however many there are."
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
    title = "a mask (batch, 1, 1, keys), as for padding"
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


FAMILIES |= {"rope": rope, "attention": attention}
