"""The heads are attended to one after the other in a Python loop (the values are right).

Shows for every input, as one call of scaled_dot_product_attention per head.
"""

import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    two_i = torch.arange(0, x.shape[-1], 2, dtype=torch.float64, device=x.device)
    speed = float(theta) ** (-two_i / d_k)
    angle = token_positions.to(x.device, torch.float64).unsqueeze(-1) * speed
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
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
        raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() >= in_features.dim():  # (1, seq) without a batch axis
        token_positions = token_positions.reshape(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)  # room for the heads

    def split(t: Tensor) -> Tensor:
        return t.reshape(*t.shape[:-1], num_heads, d_head).transpose(-3, -2)

    q = split(in_features @ q_proj_weight.T)
    k = split(in_features @ k_proj_weight.T)
    v = split(in_features @ v_proj_weight.T)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    outs = []
    for h in range(num_heads):
        one = slice(h, h + 1)
        outs.append(scaled_dot_product_attention(q[..., one, :, :], k[..., one, :, :], v[..., one, :, :]))
    out = torch.cat(outs, dim=-3)
    out = out.transpose(-3, -2).reshape(in_features.shape)
    return out @ o_proj_weight.T
