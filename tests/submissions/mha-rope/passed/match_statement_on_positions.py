"""A match statement decides what the positions are."""

import math
import torch
import torch.nn.functional as F
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
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
    if d_model % num_heads:
        raise ValueError("num_heads has to divide d_model")
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    qkv = [F.linear(in_features, w) for w in (q_proj_weight, k_proj_weight, v_proj_weight)]
    q, k, v = [t.unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for t in qkv]
    match token_positions:
        case None:
            pos = torch.arange(seq, device=in_features.device)
        case Tensor() if token_positions.dim() == 1:
            pos = token_positions
        case _:
            pos = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    heads = scaled_dot_product_attention(q, k, v)
    return F.linear(heads.transpose(-3, -2).flatten(-2), o_proj_weight)
