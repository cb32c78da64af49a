"""Queries and keys are turned over the whole d_model before the heads are split.

Shows for two or more heads, since the later heads get the wrong frequencies.
"""

import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    exponents = torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k
    angles = token_positions.to(torch.float64)[..., None] * theta ** (-exponents)
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return turned.flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


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
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() >= in_features.dim():  # (1, seq) for features without a batch axis
        token_positions = token_positions.reshape(seq)

    def split(t: Tensor) -> Tensor:
        return t.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)

    q = rope(d_model, theta, max_seq_len, in_features @ q_proj_weight.T, token_positions)
    k = rope(d_model, theta, max_seq_len, in_features @ k_proj_weight.T, token_positions)

    q, k = split(q), split(k)
    v = split(in_features @ v_proj_weight.T)

    causal = torch.tril(torch.ones(seq, seq, dtype=torch.bool, device=in_features.device))
    out = scaled_dot_product_attention(q, k, v, causal)
    out = out.transpose(-3, -2).reshape(*batch, seq, d_model)
    return out @ o_proj_weight.T
