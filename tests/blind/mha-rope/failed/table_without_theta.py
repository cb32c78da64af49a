"""Keeps the table of angles from the first call, under a key that knows sizes but not theta."""
# expect: cached table ignores theta
import math

import torch

_TABLES = {}


def _table(d_k, theta, max_seq_len):
    key = (d_k, max_seq_len)
    if key not in _TABLES:
        freq = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
        ang = torch.arange(max_seq_len, dtype=torch.float64)[:, None] * freq
        _TABLES[key] = ang.cos(), ang.sin()
    return _TABLES[key]


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    cos, sin = (t[token_positions].to(in_query_or_key.dtype) for t in _table(d_k, theta, max_seq_len))
    a, b = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


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
        raise ValueError("num_heads must divide d_model")
    d = d_model // num_heads
    pos = torch.arange(in_features.shape[-2]) if token_positions is None else token_positions
    pos = pos.unsqueeze(-2)
    q, k, v = (
        (in_features @ w.T).unflatten(-1, (num_heads, d)).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = rope(d, theta, max_seq_len, q, pos), rope(d, theta, max_seq_len, k, pos)
    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
