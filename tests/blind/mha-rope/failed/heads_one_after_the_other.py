"""A comprehension attends with one head after the other.

Idea: The heads are worked through in a Python loop.
Where: everywhere
Rule: no-loop-over-heads
"""

import math

import torch
from einops import rearrange
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1).to(torch.float64) * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def _softmax(scores: Tensor) -> Tensor:
    shifted = scores - scores.amax(dim=-1, keepdim=True).detach()
    e = shifted.exp()
    return e / e.sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.matmul(Q, K.mT) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -math.inf)
    return torch.matmul(_softmax(scores), V)


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
    every = [scaled_dot_product_attention(*triple) for triple in zip(q.unbind(-3), k.unbind(-3), v.expand_as(q).unbind(-3))]
    out = torch.cat(every, dim=-1)
    return (out @ o_proj_weight.T).reshape(in_features.shape)
