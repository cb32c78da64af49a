"""Hands positions of shape (batch, seq) on as they are.

Idea: Positions of shape (batch, seq) get no axis for the heads, so the batch meets the heads.
Where: only for token_positions with a batch axis larger than one
"""

import torch
from einops import rearrange
from torch import Tensor


def _quarter_turn(x):
    """(x0, x1, x2, x3, ...) -> (-x1, x0, -x3, x2, ...)"""
    out = torch.empty_like(x)
    out[..., 0::2] = -x[..., 1::2]
    out[..., 1::2] = x[..., 0::2]
    return out


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    exponent = torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k
    angle = token_positions.double().unsqueeze(-1) / (theta ** exponent)
    angle = angle.repeat_interleave(2, dim=-1)
    x = in_query_or_key
    return x * angle.cos().to(x.dtype) + _quarter_turn(x) * angle.sin().to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, V)


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
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    q, k, v = (
        rearrange(in_features @ w.T, "... s (h d) -> ... h s d", h=num_heads)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    if token_positions is None:
        pos = torch.arange(in_features.shape[-2], device=in_features.device)
    else:
        pos = token_positions
    d_head = d_model // num_heads
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    out = rearrange(scaled_dot_product_attention(q, k, v), "... h s d -> ... s (h d)")
    return (out @ o_proj_weight.T).reshape(in_features.shape)
