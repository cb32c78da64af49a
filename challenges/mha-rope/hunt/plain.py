"""Multi-head self-attention with RoPE: reshape and transpose, one step a line."""

import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    exponents = torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k
    frequencies = 1.0 / theta**exponents
    angles = token_positions.unsqueeze(-1).to(torch.float64) * frequencies
    cos = torch.cos(angles).to(x.dtype)
    sin = torch.sin(angles).to(x.dtype)

    x1 = x[..., 0::2]
    x2 = x[..., 1::2]
    turned1 = x1 * cos - x2 * sin
    turned2 = x1 * sin + x2 * cos
    return torch.stack([turned1, turned2], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    d_k = Q.shape[-1]
    scores = torch.matmul(Q, K.transpose(-2, -1))
    scores = scores / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, V)


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
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    leading = in_features.shape[:-2]
    seq_len = in_features.shape[-2]

    # project
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T

    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device)

    # (..., seq, d_model) -> (..., heads, seq, d_head)
    Q = Q.reshape(*leading, seq_len, num_heads, d_head).transpose(-3, -2)
    K = K.reshape(*leading, seq_len, num_heads, d_head).transpose(-3, -2)
    V = V.reshape(*leading, seq_len, num_heads, d_head).transpose(-3, -2)

    # an axis for the heads
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)

    attended = scaled_dot_product_attention(Q, K, V)

    # (..., heads, seq, d_head) -> (..., seq, d_model)
    merged = attended.transpose(-3, -2).reshape(*leading, seq_len, d_model)
    return merged @ o_proj_weight.T
