"""Small calls of mha-module that may be shown, run after cases.py."""

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
