"""Pairs the halves and always uses 10000.

Idea: The halves are paired and not the neighbours, and theta is ignored.
Where: everywhere (except d_head = 2 with theta = 10000)
Id: half-split-rope
"""

import torch
from einops import einsum
from torch import Tensor


BASE = 10_000.0


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    half = d_k // 2
    freqs = BASE ** (-torch.arange(half, device=x.device, dtype=torch.float64) / half)
    angle = token_positions.unsqueeze(-1) * freqs
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * c - b * s, a * s + b * c], dim=-1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = einsum(Q, K, "... q d, ... k d -> ... q k") / Q.shape[-1] ** 0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.full_like(logits, float("-inf")))
    attn = torch.exp(logits - torch.logsumexp(logits, dim=-1, keepdim=True))
    return attn @ V


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
        raise ValueError("d_model % num_heads must be 0")
    d_head = d_model // num_heads

    def project(weight: Tensor) -> Tensor:
        per_head = weight.reshape(num_heads, d_head, d_model)
        return torch.einsum("...si,hdi->...hsd", in_features, per_head)

    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    elif token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(dim=-2)
    turned = [rope(d_head, theta, max_seq_len, project(w), token_positions) for w in (q_proj_weight, k_proj_weight)]
    out = scaled_dot_product_attention(*turned, project(v_proj_weight))
    o = o_proj_weight.reshape(d_model, num_heads, d_head)
    return torch.einsum("...hsd,ohd->...so", out, o).reshape(in_features.shape)
