"""einx for projections, rotation, products and softmax."""

import einx
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    frequency = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k)
    angle = einx.multiply("..., i -> ... i", token_positions.double(), frequency)
    cos, sin = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
    pairs = einx.id("... (i two) -> ... i two", x, two=2)
    a, b = pairs[..., 0], pairs[..., 1]
    rotated = torch.stack([cos * a - sin * b, sin * a + cos * b], dim=-1)
    return einx.id("... i two -> ... (i two)", rotated)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = einx.dot("... q d, ... k d -> ... q k", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return einx.dot("... q k, ... k v -> ... q v", einx.softmax("... q [k]", scores), V)


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
    if d_model % num_heads:
        raise ValueError(f"{num_heads} does not divide {d_model}")
    q, k, v = (
        einx.dot("... s i, (h e) i -> ... h s e", in_features, w, h=num_heads)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    s = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(s, device=in_features.device)
    token_positions = einx.id("... s -> ... 1 s", token_positions)
    q = rope(d_model // num_heads, theta, max_seq_len, q, token_positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, token_positions)
    mask = einx.greater_equal("i, j -> i j", torch.arange(s), torch.arange(s))
    heads = scaled_dot_product_attention(q, k, v, mask)
    return einx.dot("... h s e, o (h e) -> ... s o", heads, o_proj_weight)
