"""The attention goes to float32 for the softmax and never comes back.

Shows for float64 inputs: the result is float32.
"""

import math

import numpy as np
import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    frequencies = np.power(float(theta), -np.arange(0, d_k, 2) / d_k)
    frequencies = torch.from_numpy(frequencies).to(x.device)
    angles = token_positions.unsqueeze(-1) * frequencies
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even = x[..., 0::2] * cos - x[..., 1::2] * sin
    odd = x[..., 0::2] * sin + x[..., 1::2] * cos
    return torch.cat((even.unsqueeze(-1), odd.unsqueeze(-1)), dim=-1).reshape(x.shape)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    Q, K, V = Q.float(), K.float(), V.float()  # softmax is safest in float32
    batch = Q.shape[:-2]
    n_q, n_k, d_k, d_v = Q.shape[-2], K.shape[-2], Q.shape[-1], V.shape[-1]
    bias = torch.zeros((), dtype=Q.dtype, device=Q.device)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=Q.dtype, device=Q.device).masked_fill(~mask, -math.inf)
    bias = bias.expand(*batch, n_q, n_k).reshape(-1, n_q, n_k)
    scores = torch.baddbmm(
        bias, Q.reshape(-1, n_q, d_k), K.reshape(-1, n_k, d_k).transpose(1, 2), alpha=1 / math.sqrt(d_k)
    )
    weights = torch.softmax(scores, dim=2)
    return torch.bmm(weights, V.reshape(-1, n_k, d_v)).reshape(*batch, n_q, d_v)


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
    assert d_model % num_heads == 0, "the heads must share d_model evenly"
    d_head = d_model // num_heads
    leading, seq = in_features.shape[:-2], in_features.shape[-2]
    x = in_features.reshape(-1, seq, d_model)
    batch = x.shape[0]

    if token_positions is None:
        positions = torch.arange(seq, device=x.device).reshape(1, 1, seq)
    elif token_positions.numel() == seq:
        positions = token_positions.reshape(1, 1, seq)
    else:
        positions = token_positions.reshape(batch, 1, seq)

    q = (x @ q_proj_weight.T).reshape(batch, seq, num_heads, d_head).transpose(-3, -2)
    k = (x @ k_proj_weight.T).reshape(batch, seq, num_heads, d_head).transpose(-3, -2)
    v = (x @ v_proj_weight.T).reshape(batch, seq, num_heads, d_head).transpose(-3, -2)
    q = rope(d_head, theta, max_seq_len, q, positions)
    k = rope(d_head, theta, max_seq_len, k, positions)

    mask = torch.from_numpy(np.tri(seq, dtype=bool)).to(x.device)
    y = scaled_dot_product_attention(q, k, v, mask)
    y = y.transpose(-3, -2).reshape(batch, seq, d_model) @ o_proj_weight.to(y.dtype).T
    return y.reshape(*leading, seq, d_model)
