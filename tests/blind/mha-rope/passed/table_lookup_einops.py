"""Tables of cosines looked up by position, einops for the heads."""

import torch
from einops import rearrange
from torch import Tensor


def _tables(d_k, theta, length, like):
    i = torch.arange(d_k // 2, dtype=torch.float64, device=like.device)
    inv_freq = 1.0 / theta ** (2 * i / d_k)
    angle = torch.outer(torch.arange(length, dtype=torch.float64, device=like.device), inv_freq)
    return angle.cos().to(like.dtype), angle.sin().to(like.dtype)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    cos, sin = _tables(d_k, theta, max_seq_len, in_query_or_key)
    c, s = cos[token_positions], sin[token_positions]
    a, b = in_query_or_key.unflatten(-1, (d_k // 2, 2)).unbind(-1)
    return torch.stack([c * a - s * b, s * a + c * b], -1).flatten(-2, -1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, V)


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
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    q, k, v = (
        rearrange(in_features @ w.T, "... s (h d) -> ... h s d", h=num_heads)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    if token_positions is None:
        pos = torch.arange(in_features.shape[-2], device=in_features.device)
    else:
        pos = rearrange(token_positions, "... s -> ... 1 s") if token_positions.ndim > 1 else token_positions
    d_head = d_model // num_heads
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    out = rearrange(scaled_dot_product_attention(q, k, v), "... h s d -> ... s (h d)")
    return (out @ o_proj_weight.T).reshape(in_features.shape)
