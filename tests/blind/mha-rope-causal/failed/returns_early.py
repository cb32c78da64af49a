"""The function returns the heads before they are merged and projected."""
import math

import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k))
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = torch.cos(angles).to(in_query_or_key.dtype), torch.sin(angles).to(in_query_or_key.dtype)
    x_even, x_odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    out = torch.empty_like(in_query_or_key)
    out[..., 0::2] = x_even * cos - x_odd * sin
    out[..., 1::2] = x_even * sin + x_odd * cos
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def _split_heads(x, num_heads):
    new_shape = x.shape[:-1] + (num_heads, x.shape[-1] // num_heads)
    return x.reshape(new_shape).transpose(-3, -2)


def _merge_heads(x):
    return x.transpose(-3, -2).flatten(start_dim=-2)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    head_dim = d_model // num_heads
    seq_len = in_features.size(-2)
    q = _split_heads(F.linear(in_features, q_proj_weight), num_heads)
    k = _split_heads(F.linear(in_features, k_proj_weight), num_heads)
    v = _split_heads(F.linear(in_features, v_proj_weight), num_heads)
    if token_positions is None:
        token_positions = torch.arange(0, seq_len, device=in_features.device)
    p = token_positions[..., None, :]
    q, k = rope(head_dim, theta, max_seq_len, q, p), rope(head_dim, theta, max_seq_len, k, p)
    future = torch.triu(torch.ones(seq_len, seq_len, device=q.device), diagonal=1).bool()
    context = scaled_dot_product_attention(q, k, v, ~future)
    return context
