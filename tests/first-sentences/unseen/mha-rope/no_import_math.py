# Says: You call `math.sqrt(d_k)` but never `import math`, so the name `math` is unknown.
# Line: 24
# Names: math, import math
# Kind: crash
import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    """Rotate pairs"""
    k = torch.arange(0, d_k, 2).to(torch.float64)
    freq = theta ** (-k / d_k)
    angle = token_positions.unsqueeze(-1) * freq
    cos = angle.cos()
    sin = angle.sin()
    even = in_query_or_key[..., 0::2]
    odd = in_query_or_key[..., 1::2]
    rotated = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return rotated.flatten(-2).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    d_k = Q.shape[-1]
    scores = Q @ K.mT / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
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
    assert d_model % num_heads == 0
    head_dim = d_model // num_heads
    *lead, seq_len, _ = in_features.shape
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    Q = Q.reshape(*lead, seq_len, num_heads, head_dim).transpose(-3, -2)
    K = K.reshape(*lead, seq_len, num_heads, head_dim).transpose(-3, -2)
    V = V.reshape(*lead, seq_len, num_heads, head_dim).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq_len)
    if token_positions.ndim > 1:
        token_positions = token_positions[..., None, :]
    Q = rope(head_dim, theta, max_seq_len, Q, token_positions)
    K = rope(head_dim, theta, max_seq_len, K, token_positions)
    heads = scaled_dot_product_attention(Q, K, V)
    merged = heads.transpose(-3, -2).reshape(*lead, seq_len, d_model)
    return merged @ o_proj_weight.T
