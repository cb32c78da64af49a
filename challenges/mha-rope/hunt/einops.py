"""Multi-head self-attention with RoPE, with einops: the patterns say what happens to the axes."""

import torch
from einops import einsum, rearrange
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    pair = torch.arange(d_k // 2, device=in_query_or_key.device)
    inv_freq = theta ** (-2.0 * pair.double() / d_k)
    angle = einsum(token_positions.double(), inv_freq, "... s, i -> ... s i")
    cos, sin = angle.cos().to(in_query_or_key), angle.sin().to(in_query_or_key)
    a, b = rearrange(in_query_or_key, "... (i two) -> two ... i", two=2)
    rotated = torch.stack((a * cos - b * sin, a * sin + b * cos))
    return rearrange(rotated, "two ... i -> ... (i two)")


def softmax(x: Tensor, dim: int) -> Tensor:
    shifted = x - x.max(dim=dim, keepdim=True).values
    exps = shifted.exp()
    return exps / exps.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") * Q.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return einsum(softmax(scores, dim=-1), V, "... q k, ... k d -> ... q d")


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
    assert d_model % num_heads == 0, f"{num_heads} heads cannot share {d_model} features"
    q = einsum(in_features, q_proj_weight, "... s i, o i -> ... s o")
    k = einsum(in_features, k_proj_weight, "... s i, o i -> ... s o")
    v = einsum(in_features, v_proj_weight, "... s i, o i -> ... s o")
    q = rearrange(q, "... s (h d) -> ... h s d", h=num_heads)
    k = rearrange(k, "... s (h d) -> ... h s d", h=num_heads)
    v = rearrange(v, "... s (h d) -> ... h s d", h=num_heads)

    if token_positions is None:
        token_positions = torch.arange(in_features.size(-2), device=in_features.device)
    positions = token_positions if token_positions.ndim == 1 else rearrange(token_positions, "... s -> ... 1 s")
    q = rope(q.size(-1), theta, max_seq_len, q, positions)
    k = rope(k.size(-1), theta, max_seq_len, k, positions)

    out = rearrange(scaled_dot_product_attention(q, k, v), "... h s d -> ... s (h d)")
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
