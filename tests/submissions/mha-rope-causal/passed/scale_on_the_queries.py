"""Attention scales the queries before the product, in the attention function itself."""

import math
import torch
from einops import rearrange
from einops import einsum


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    Q = Q / math.sqrt(Q.shape[-1])
    scores = torch.matmul(Q, K.transpose(-2, -1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} must be divisible by num_heads={num_heads}")
    q = einsum(in_features, q_proj_weight, "... s i, o i -> ... s o")
    k = einsum(in_features, k_proj_weight, "... s i, o i -> ... s o")
    v = einsum(in_features, v_proj_weight, "... s i, o i -> ... s o")
    q = rearrange(q, "... s (h d) -> ... h s d", h=num_heads)
    k = rearrange(k, "... s (h d) -> ... h s d", h=num_heads)
    v = rearrange(v, "... s (h d) -> ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model // num_heads, theta, max_seq_len, q, positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, positions)
    out = scaled_dot_product_attention(q, k, v, torch.arange(q.shape[-2])[:, None] >= torch.arange(q.shape[-2])[None, :])
    out = rearrange(out, "... h s d -> ... s (h d)")
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
