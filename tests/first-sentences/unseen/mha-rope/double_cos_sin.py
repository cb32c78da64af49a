# Says: With float32 inputs your `rope` returns float64, because `cos` and `sin` stay double, and then `weights @ V` multiplies double with float: turn the result back with `.to(in_query_or_key.dtype)`.
# Line: 17
# Names: cos, double, .to(in_query_or_key.dtype)
# Kind: crash
import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    freqs = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos = angles.cos().double()
    sin = angles.sin().double()
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


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
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads != 0")
    d_head = d_model // num_heads
    *b, t, _ = in_features.shape
    Q, K, V = (
        (in_features @ w.T).reshape(*b, t, num_heads, d_head).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    if token_positions is None:
        token_positions = torch.arange(t, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    return out.transpose(-3, -2).reshape(*b, t, d_model) @ o_proj_weight.T
