"""Causal multi-head self-attention with RoPE, in small functions: view and permute, the softmax written out."""

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    steps = torch.arange(d_k // 2, device=in_query_or_key.device).double()
    speeds = theta ** (-2 * steps / d_k)
    angles = token_positions.double()[..., None] * speeds
    pairs = in_query_or_key.unflatten(-1, (-1, 2))
    first, second = pairs[..., 0], pairs[..., 1]
    cos, sin = angles.cos().type_as(first), angles.sin().type_as(first)
    result = torch.empty_like(pairs)
    result[..., 0] = first * cos - second * sin
    result[..., 1] = first * sin + second * cos
    return result.flatten(-2)


def softmax(x: Tensor) -> Tensor:
    x = x - x.amax(dim=-1, keepdim=True)
    e = torch.exp(x)
    return e / e.sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.transpose(-1, -2)
    scores = scores * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -torch.inf)
    return softmax(scores) @ V


def split(x: Tensor, num_heads: int) -> Tensor:
    *batch, seq, width = x.shape
    return x.view(*batch, seq, num_heads, width // num_heads).transpose(-2, -3)


def merge(x: Tensor) -> Tensor:
    x = x.transpose(-2, -3)
    return x.flatten(start_dim=-2)


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
        raise ValueError(f"cannot split {d_model} features into {num_heads} heads")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    x = in_features
    q = split(x @ q_proj_weight.T, num_heads)
    k = split(x @ k_proj_weight.T, num_heads)
    v = split(x @ v_proj_weight.T, num_heads)

    if token_positions is None:
        token_positions = torch.arange(seq, device=x.device)
    elif token_positions.dim() > 1:
        token_positions = token_positions[..., None, :]
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    causal = torch.tril(torch.ones(seq, seq, dtype=torch.bool, device=x.device))
    out = scaled_dot_product_attention(q, k, v, causal)
    return merge(out) @ o_proj_weight.T
