"""Pairs made complex with torch.complex, parts taken apart with .real and .imag."""

import torch
import torch.nn.functional as F
from torch import Tensor
from einops import einsum


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    z = torch.complex(in_query_or_key[..., 0::2], in_query_or_key[..., 1::2])
    angle = token_positions[..., None] * (theta ** (-2 * torch.arange(d_k // 2) / d_k))
    z = z * torch.complex(angle.cos(), angle.sin())
    return torch.stack([z.real, z.imag], dim=-1).reshape(in_query_or_key.shape).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / d_k**0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    probs = scores.softmax(dim=-1)
    return einsum(probs, V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    if d_model % num_heads:
        raise ValueError("num_heads has to divide d_model")
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    qkv = [F.linear(in_features, w) for w in (q_proj_weight, k_proj_weight, v_proj_weight)]
    q, k, v = [t.unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for t in qkv]
    pos = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    pos = pos.expand(*lead, seq).unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    heads = scaled_dot_product_attention(q, k, v)
    return F.linear(heads.transpose(-3, -2).flatten(-2), o_proj_weight)
