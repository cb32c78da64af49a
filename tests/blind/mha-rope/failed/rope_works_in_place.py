"""Writes the turned pairs back into the tensor.

Idea: rope changes the tensor that it gets.
Where: only seen when rope is called alone: its argument is changed
Id: input-mutated
"""

import math

import torch
import torch.nn.functional as F
from einops import rearrange
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1).to(torch.float64) * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = even * cos - odd * sin
    x[..., 1::2] = even * sin + odd * cos
    return x


def scaled_dot_product_attention(Q, K, V, mask=None):
    scaled = Q / math.sqrt(K.shape[-1])
    scores = torch.matmul(scaled, K.swapaxes(-1, -2))
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        scores = scores + bias.masked_fill(mask == False, float("-inf"))  # noqa: E712
    return F.softmax(scores, dim=-1).matmul(V)


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
        pos = rearrange(token_positions, "... s -> ... 1 s") if token_positions.ndim > 1 else token_positions
    d_head = d_model // num_heads
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    out = rearrange(scaled_dot_product_attention(q, k, v), "... h s d -> ... s (h d)")
    return (out @ o_proj_weight.T).reshape(in_features.shape)
