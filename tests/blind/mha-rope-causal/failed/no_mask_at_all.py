"""Calls the attention without a mask.

Idea: The causal mask is made and never handed over.
Where: everywhere (except with one token)
"""

import math

import torch
import torch.nn.functional as F


def _tables(d_k, theta, length, like):
    i = torch.arange(d_k // 2, dtype=torch.float64, device=like.device)
    inv_freq = 1.0 / theta ** (2 * i / d_k)
    angle = torch.outer(torch.arange(length, dtype=torch.float64, device=like.device), inv_freq)
    return angle.cos().to(like.dtype), angle.sin().to(like.dtype)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    cos, sin = _tables(d_k, theta, max_seq_len, in_query_or_key)
    c, s = cos[token_positions], sin[token_positions]
    a, b = in_query_or_key.unflatten(-1, (d_k // 2, 2)).unbind(-1)
    return torch.stack([c * a - s * b, s * a + c * b], -1).flatten(-2, -1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scaled = Q / math.sqrt(K.shape[-1])
    scores = torch.matmul(scaled, K.swapaxes(-1, -2))
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        scores = scores + bias.masked_fill(mask == False, float("-inf"))  # noqa: E712
    return F.softmax(scores, dim=-1).matmul(V)


def _split(t, num_heads):
    """(..., seq, d_model) -> (..., heads, seq, d_head)"""
    return t.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def _causal(n, device):
    i = torch.arange(n, device=device)
    return i[None, :] <= i[:, None]


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
    causal = _causal(seq, device)  # noqa: F841
    p = token_positions if token_positions.dim() == 1 else token_positions.unsqueeze(-2)
    d_head = d_model // num_heads
    a = scaled_dot_product_attention(
        rope(d_head, theta, max_seq_len, q, p),
        rope(d_head, theta, max_seq_len, k, p),
        v,
    )
    return F.linear(_merge(a), o_proj_weight).reshape(in_features.shape)
