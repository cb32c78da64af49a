"""Puts the head axis of the positions at place 1.

Idea: unsqueeze(1) puts the head axis of the positions at the right place for one batch axis only.
Where: only for token_positions with two or more batch axes
"""

import math

import torch


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
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape

    def heads(weight):
        y = in_features @ weight.T
        return y.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(1)  # one axis for the heads
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
