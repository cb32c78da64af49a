"""A mask with three axes gets an axis for the heads whenever the scores have four.

Shows in scaled_dot_product_attention alone with 4-D inputs and a mask (heads, queries, keys).
"""

import torch
import torch.nn.functional as F
from torch import Tensor


def rotation(d_k: int, theta: float, positions: Tensor, dtype: torch.dtype) -> Tensor:
    """Positions (...) -> matrices (..., d_k/2, 2, 2)."""
    pair = torch.arange(d_k // 2, device=positions.device, dtype=torch.float64)
    alpha = positions[..., None].to(torch.float64) / float(theta) ** (2 * pair / d_k)
    c, s = torch.cos(alpha), torch.sin(alpha)
    rows = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)
    return rows.to(dtype)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    R = rotation(d_k, theta, token_positions, in_query_or_key.dtype)
    columns = in_query_or_key.unflatten(-1, (-1, 2)).unsqueeze(-1)
    return torch.matmul(R, columns).squeeze(-1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.matmul(Q, K.transpose(-2, -1)) * (1.0 / Q.shape[-1] ** 0.5)
    if mask is not None:
        if mask.ndim == 3 and scores.ndim == 4:
            mask = mask.unsqueeze(1)  # (batch, queries, keys): one axis for the heads
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        hidden = mask.logical_not()
        bias[hidden] = -torch.inf
        scores = scores + bias
    return torch.matmul(F.softmax(scores, dim=-1), V)


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
        raise ValueError("d_model % num_heads != 0")
    head_shape = (num_heads, d_model // num_heads)
    length = in_features.shape[-2]

    queries = F.linear(in_features, q_proj_weight).unflatten(-1, head_shape).transpose(-3, -2)
    keys = F.linear(in_features, k_proj_weight).unflatten(-1, head_shape).transpose(-3, -2)
    values = F.linear(in_features, v_proj_weight).unflatten(-1, head_shape).transpose(-3, -2)

    if token_positions is None:
        token_positions = torch.arange(length, device=in_features.device)
    positions = token_positions
    if in_features.ndim == 2:
        positions = positions.flatten()
    positions = positions[..., None, :]

    queries = rope(head_shape[1], theta, max_seq_len, queries, positions)
    keys = rope(head_shape[1], theta, max_seq_len, keys, positions)

    later = torch.ones(length, length, device=in_features.device).triu(diagonal=1) > 0
    attended = scaled_dot_product_attention(queries, keys, values, mask=~later)
    return F.linear(attended.transpose(-3, -2).flatten(start_dim=-2), o_proj_weight)
