# Says: The softmax runs over the queries with `dim=-2`, so the weights of one query do not add up to 1: it must run over the keys, `dim=-1`.
# Line: 27
# Names: dim=-2, dim=-1
# Kind: wrong idea
import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    # frequencies for every pair
    freqs = theta ** (-(torch.arange(0, d_k, 2, device=in_query_or_key.device).double()) / d_k)
    angles = token_positions.to(in_query_or_key.device).unsqueeze(-1) * freqs
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    first, second = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    result = torch.empty(torch.broadcast_shapes(first.shape, cos.shape)[:-1] + (d_k,), dtype=in_query_or_key.dtype)
    result[..., 0::2] = first * cos - second * sin
    result[..., 1::2] = first * sin + second * cos
    return result


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.einsum("...nd,...md->...nm", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-2)
    return torch.einsum("...nm,...mv->...nv", weights, V)


def multihead_self_attention_with_rope(
    d_model: int, num_heads: int, max_seq_len: int, theta: float,
    q_proj_weight: Tensor, k_proj_weight: Tensor, v_proj_weight: Tensor, o_proj_weight: Tensor,
    in_features: Tensor, token_positions: Tensor | None = None,
) -> Tensor:
    if d_model % num_heads != 0:
        raise ValueError(f"{d_model} % {num_heads} != 0")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    Q, K, V = (
        (in_features @ w.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    positions = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    if positions.dim() > 1:
        positions = positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, positions)
    K = rope(d_head, theta, max_seq_len, K, positions)
    out = scaled_dot_product_attention(Q, K, V)
    return out.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
