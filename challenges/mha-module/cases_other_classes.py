"""Case families of mha-module, run after cases.py: CausalAttention and MultiHeadAttentionWrapper alone."""


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


FAMILIES |= {"causal-attention": causal_attention, "wrapper": wrapper}
