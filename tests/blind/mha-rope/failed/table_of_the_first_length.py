"""Builds the table of angles once, for the length of the first call.

Idea: The table keeps the length of the first call, and larger positions are clamped to its end.
Where: only from the second call on, with positions beyond the first max_seq_len
Id: stale-cache
"""

import math

import torch
import torch.nn.functional as F


class _Angles:
    tables = {}

    @classmethod
    def get(cls, d_k, theta, length, device):
        if (d_k, theta, device) not in cls.tables:
            f = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=device) / d_k)
            cls.tables[d_k, theta, device] = torch.outer(torch.arange(length, device=device).double(), f)
        return cls.tables[d_k, theta, device]


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    table = _Angles.get(d_k, theta, max_seq_len, x.device)
    angle = table[token_positions.clamp(max=table.shape[0] - 1)]
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def _split(t, num_heads):
    """(..., seq, d_model) -> (..., heads, seq, d_head)"""
    return t.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def _merge(t):
    """(..., heads, seq, d_head) -> (..., seq, d_model)"""
    return t.transpose(-3, -2).flatten(-2)


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
    seq, device = in_features.size(-2), in_features.device
    q = _split(F.linear(in_features, q_proj_weight), num_heads)
    k = _split(F.linear(in_features, k_proj_weight), num_heads)
    v = _split(F.linear(in_features, v_proj_weight), num_heads)
    if token_positions is None:
        token_positions = torch.arange(0, seq, device=device)
    p = token_positions if token_positions.dim() == 1 else token_positions.unsqueeze(-2)
    d_head = d_model // num_heads
    a = scaled_dot_product_attention(
        rope(d_head, theta, max_seq_len, q, p),
        rope(d_head, theta, max_seq_len, k, p),
        v,
    )
    return F.linear(_merge(a), o_proj_weight).reshape(in_features.shape)
