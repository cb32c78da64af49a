"""Full attention, head by head over column offsets.

WRONG: a while loop walks over the columns in steps of d_head and handles one head per turn.
When: always
Spec: "no loop over heads"
"""

import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    steps = torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device)
    inv_freq = float(theta) ** (-steps / d_k)
    angles = token_positions.to(torch.float64).unsqueeze(-1) * inv_freq
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    even = x[..., 0::2]
    odd = x[..., 1::2]
    out = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return out.flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


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
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    device = in_features.device

    q = in_features @ q_proj_weight.T
    k = in_features @ k_proj_weight.T
    v = in_features @ v_proj_weight.T

    if token_positions is None:
        token_positions = torch.arange(seq, device=device)
    elif token_positions.dim() > 1:
        token_positions = token_positions.expand(*lead, seq) if lead else token_positions.reshape(seq)
    parts = []
    start = 0
    while start < d_model:
        cols = slice(start, start + d_head)
        turned_q = rope(d_head, theta, max_seq_len, q[..., cols], token_positions)
        turned_k = rope(d_head, theta, max_seq_len, k[..., cols], token_positions)
        if in_features.dim() == 2:  # the attention wants three axes
            part = scaled_dot_product_attention(turned_q[None], turned_k[None], v[None, ..., cols])[0]
        else:
            part = scaled_dot_product_attention(turned_q, turned_k, v[..., cols])
        parts.append(part)
        start += d_head
    out = torch.cat(parts, dim=-1)
    return out @ o_proj_weight.T
