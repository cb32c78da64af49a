# Says: The heads still stand before the tokens when you merge with `out.reshape(*lead, seq, d_model)`: do `transpose(-3, -2)` first, or features of different tokens get mixed.
# Line: 41
# Names: reshape, transpose(-3, -2)
# Kind: wrong idea
from math import sqrt
import torch
from torch import Tensor, softmax


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    pair = torch.arange(d_k // 2, dtype=torch.float64)
    w = theta ** (-2.0 * pair / d_k)
    alpha = token_positions.unsqueeze(-1) * w
    R = torch.stack([alpha.cos(), -alpha.sin(), alpha.sin(), alpha.cos()], -1).unflatten(-1, (2, 2)).to(in_query_or_key.dtype)
    x = in_query_or_key.unflatten(-1, (d_k // 2, 2))
    return (R @ x.unsqueeze(-1)).squeeze(-1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.transpose(-2, -1) / sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(d_model: int, num_heads: int, max_seq_len: int, theta: float, q_proj_weight: Tensor, k_proj_weight: Tensor, v_proj_weight: Tensor, o_proj_weight: Tensor, in_features: Tensor, token_positions: Tensor | None = None) -> Tensor:
    assert d_model % num_heads == 0
    *lead, seq, _ = in_features.shape
    d_head = d_model // num_heads
    Q, K, V = [
        (in_features @ W.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
        for W in [q_proj_weight, k_proj_weight, v_proj_weight]
    ]
    if token_positions is None:
        token_positions = torch.arange(seq)
    elif token_positions.dim() > 1:
        token_positions = token_positions[..., None, :]
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    out = out.reshape(*lead, seq, d_model)
    return out @ o_proj_weight.T
