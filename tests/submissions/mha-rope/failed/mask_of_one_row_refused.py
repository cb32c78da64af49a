"""A mask with one row for all queries is refused."""

import dataclasses
import functools
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    """Rotary embedding, interleaved pairs."""
    x = in_query_or_key
    k = torch.arange(0, d_k, 2, device=x.device).float()
    freqs = 1.0 / (theta ** (k / d_k))
    angles = token_positions.unsqueeze(-1).float() * freqs
    c, s = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack([x1 * c - x2 * s, x1 * s + x2 * c], dim=-1).reshape(x.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        assert mask.shape[-2:] == scores.shape[-2:], "the mask must be (queries, keys)"
        scores = scores.masked_fill(mask == 0, float("-inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):

    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    *batch_shape, seq_len, _ = Q.shape
    Q = Q.reshape(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    K = K.reshape(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    V = V.reshape(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=Q.device)
    if token_positions.ndim >= 2:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    out = out.transpose(-3, -2).reshape(*batch_shape, seq_len, d_model)
    return out @ o_proj_weight.T
