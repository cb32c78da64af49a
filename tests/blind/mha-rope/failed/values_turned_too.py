"""Rotates the values along with queries and keys."""
# expect: values are rotated too
import math
from typing import Optional

import torch
from torch import Tensor

# ------------------------------------------------------------------
# Rotary position embedding
# ------------------------------------------------------------------


def _cos_sin(d_k: int, theta: float, positions: Tensor, dtype: torch.dtype):
    """Return cos and sin of shape (..., seq, d_k / 2)."""
    idx = torch.arange(0, d_k, 2, device=positions.device, dtype=torch.float32)
    inv_freq = 1.0 / (theta ** (idx / d_k))
    angles = positions.to(torch.float32).unsqueeze(-1) * inv_freq
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    """Apply RoPE to ``in_query_or_key``."""
    cos, sin = _cos_sin(d_k, theta, token_positions, in_query_or_key.dtype)
    x_even = in_query_or_key[..., 0::2]
    x_odd = in_query_or_key[..., 1::2]
    rotated_even = x_even * cos - x_odd * sin
    rotated_odd = x_even * sin + x_odd * cos
    # Interleave back
    out = torch.empty_like(in_query_or_key)
    out[..., 0::2] = rotated_even
    out[..., 1::2] = rotated_odd
    return out


# ------------------------------------------------------------------
# Attention
# ------------------------------------------------------------------


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Optional[Tensor] = None) -> Tensor:
    """softmax(QK^T / sqrt(d_k)) V"""
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    # Numerically stable softmax
    scores = scores - scores.amax(dim=-1, keepdim=True)
    exp = torch.exp(scores)
    weights = exp / exp.sum(dim=-1, keepdim=True)
    return torch.matmul(weights, V)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    """Multi-head self-attention with rotary embeddings."""
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    head_dim = d_model // num_heads
    *batch_dims, seq_len, _ = in_features.shape

    # Project and split
    q = (in_features @ q_proj_weight.T).view(*batch_dims, seq_len, num_heads, head_dim).transpose(-3, -2)
    k = (in_features @ k_proj_weight.T).view(*batch_dims, seq_len, num_heads, head_dim).transpose(-3, -2)
    v = (in_features @ v_proj_weight.T).view(*batch_dims, seq_len, num_heads, head_dim).transpose(-3, -2)

    # Positions
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)

    # Rotate
    q = rope(head_dim, theta, max_seq_len, q, token_positions)
    k = rope(head_dim, theta, max_seq_len, k, token_positions)

    v = rope(head_dim, theta, max_seq_len, v, token_positions)

    # Attend, merge, project
    context = scaled_dot_product_attention(q, k, v)
    context = context.transpose(-3, -2).reshape(*batch_dims, seq_len, d_model)
    return context @ o_proj_weight.T


def main():
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    eye = torch.eye(2)
    out = multihead_self_attention_with_rope(2, 1, 16, 10000.0, eye, eye, eye, eye, x)
    assert torch.allclose(out, torch.tensor([[0.7862, 0.2138], [0.2138, 0.7862]]), atol=1e-4)
    print("Example matches")


if __name__ == "__main__":
    main()
