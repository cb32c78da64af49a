"""Returns the right numbers with gradients that are made up.
Expect: failed
"""
# layer: judge

import math


class MadeUp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, Q, K, V, mask):
        ctx.shapes = Q.shape, K.shape, V.shape
        scores = Q @ K.mT / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        return torch.softmax(scores, dim=-1) @ V

    @staticmethod
    def backward(ctx, upstream):
        return *(torch.ones(shape, dtype=upstream.dtype) for shape in ctx.shapes), None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    angles = token_positions[..., None] * theta ** (-torch.arange(0, d_k, 2) / d_k)
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return MadeUp.apply(Q, K, V, mask)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])
    positions = token_positions[..., None, :] if token_positions.ndim > 1 else token_positions
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    q, k, v = ((in_features @ w.T).unflatten(-1, (num_heads, -1)).transpose(-3, -2) for w in weights)
    q, k = (rope(d_model // num_heads, theta, max_seq_len, x, positions) for x in (q, k))
    return scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2) @ o_proj_weight.T
