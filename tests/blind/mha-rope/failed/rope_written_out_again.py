"""Calls rope, and then uses a copy of it that stands inline.

Idea: The result of the student's rope is thrown away and the turn is written out again inside.
Where: everywhere
Rule: uses-own-rope
"""

import math

import torch
import torch.nn.functional as F


def _turn(x, p, theta):
    d = x.shape[-1]
    a = p.unsqueeze(-1).double() * theta ** (-torch.arange(0, d, 2, device=x.device).double() / d)
    z = torch.view_as_complex(x.unflatten(-1, (d // 2, 2)).contiguous())
    return torch.view_as_real(z * torch.polar(torch.ones_like(a), a).to(z.dtype)).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1).to(torch.float64) * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
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
    _ = rope(d_head, theta, max_seq_len, q, p)
    a = scaled_dot_product_attention(_turn(q, p, theta), _turn(k, p, theta), v)
    return F.linear(_merge(a), o_proj_weight).reshape(in_features.shape)
