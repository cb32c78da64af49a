"""NumPy for square roots and frequencies, nothing that needs a gradient."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inv_freq = torch.from_numpy(np.power(float(theta), -np.arange(0, d_k, 2) / d_k))
    angle = token_positions.unsqueeze(-1) * inv_freq
    cos, sin = angle.cos().type_as(in_query_or_key), angle.sin().type_as(in_query_or_key)
    x1, x2 = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((x1 * cos - x2 * sin, x1 * sin + x2 * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -np.inf)
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
