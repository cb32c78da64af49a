"""The softmax subtracts the largest score of the whole tensor instead of that of each query.

Shows when scores differ by several hundred from one query to the next: 0/0.
"""

import torch
from torch import Tensor


def inverse_frequencies(d_k: int, theta: float, device: torch.device) -> Tensor:
    powers = torch.arange(0, d_k, 2, dtype=torch.float64, device=device).div(d_k)
    base = torch.full(powers.shape, theta, dtype=torch.float64, device=device)
    return base.pow(-powers)


def twice(t: Tensor) -> Tensor:
    """a, b, c -> a, a, b, b, c, c along the last axis."""
    return t.repeat_interleave(2, dim=-1)


def quarter_turn(x: Tensor) -> Tensor:
    """(x0, x1, x2, x3, ...) -> (-x1, x0, -x3, x2, ...)"""
    return torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    angle = token_positions.double().unsqueeze(-1) * inverse_frequencies(d_k, theta, token_positions.device)
    cos, sin = twice(angle.cos()), twice(angle.sin())
    return in_query_or_key * cos.type_as(in_query_or_key) + quarter_turn(in_query_or_key) * sin.type_as(in_query_or_key)


def hide(scores: Tensor, mask: Tensor | None) -> Tensor:
    return scores if mask is None else scores.masked_fill(~mask, -torch.inf)


def normalise(scores: Tensor) -> Tensor:
    e = (scores - scores.detach().max()).exp()
    return e / e.sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    root = Q.shape[-1] ** 0.25  # half of the scale on each side
    scores = (Q / root) @ (K / root).transpose(-1, -2)
    return normalise(hide(scores, mask)) @ V


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def merge_heads(x: Tensor) -> Tensor:
    return x.transpose(-3, -2).flatten(-2)


def positions_for_heads(positions: Tensor | None, x: Tensor) -> Tensor:
    if positions is None:
        positions = torch.arange(x.shape[-2], device=x.device)
    if x.ndim == 2:
        positions = positions.reshape(x.shape[0])
    return positions.unsqueeze(-2)


def causal_mask(n: int, device: torch.device) -> Tensor:
    return torch.ones(n, n, device=device).tril().bool()


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
        raise ValueError("uneven heads")
    positions = positions_for_heads(token_positions, in_features)
    q = split_heads(in_features @ q_proj_weight.T, num_heads)
    k = split_heads(in_features @ k_proj_weight.T, num_heads)
    v = split_heads(in_features @ v_proj_weight.T, num_heads)
    q = rope(d_model // num_heads, theta, max_seq_len, q, positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, positions)
    mask = causal_mask(in_features.shape[-2], in_features.device)
    return merge_heads(scaled_dot_product_attention(q, k, v, mask)) @ o_proj_weight.T
