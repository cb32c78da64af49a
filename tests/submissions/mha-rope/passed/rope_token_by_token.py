"""A loop over tokens in rope, which turns queries and keys in one call."""

from __future__ import annotations


import torch
from einops import rearrange

__all__ = ["rope", "scaled_dot_product_attention", "multihead_self_attention_with_rope"]


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    seq_len = in_query_or_key.shape[-2]
    freqs = torch.tensor([1.0 / theta ** (2 * i / d_k) for i in range(d_k // 2)], device=in_query_or_key.device)
    rows = []
    for t in range(seq_len):
        pos = token_positions[..., t, None]
        cos, sin = torch.cos(pos * freqs), torch.sin(pos * freqs)
        token = in_query_or_key[..., t, :]
        first, second = token[..., 0::2], token[..., 1::2]
        row = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
        rows.append(row.flatten(-2))
    return torch.stack(rows, dim=-2).to(in_query_or_key.dtype)


def softmax(x, dim):
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.tensor(-torch.inf, dtype=logits.dtype, device=logits.device))
    return torch.einsum("...qk,...kv->...qv", softmax(logits, -1), V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    w_qkv = torch.stack((q_proj_weight, k_proj_weight, v_proj_weight))
    qkv = torch.einsum("...si,poi->p...so", in_features, w_qkv)
    qkv = rearrange(qkv, "p ... s (h d) -> p ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    qk = rope(d_head, theta, max_seq_len, qkv[:2], token_positions.unsqueeze(-2))
    out = scaled_dot_product_attention(qk[0], qk[1], qkv[2])
    return rearrange(out, "... h s d -> ... s (h d)") @ o_proj_weight.T
