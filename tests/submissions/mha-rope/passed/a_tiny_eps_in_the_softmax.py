"""1e-9 in the denominator of the softmax: invisible in float32."""

import torch
from torch import Tensor
from einops import rearrange
from einops import einsum


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    angles = token_positions.to(x.device)[..., None].float() * freqs
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    x_even = x[..., ::2]
    x_odd = x[..., 1::2]
    out_even = x_even * cos - x_odd * sin
    out_odd = x_even * sin + x_odd * cos
    return torch.stack([out_even, out_odd], dim=-1).flatten(-2)


def softmax(x: Tensor, dim: int) -> Tensor:
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / (e.sum(dim=dim, keepdim=True) + 1e-9)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    attn = torch.matmul(Q, K.mT) / Q.size(-1) ** 0.5
    if mask is not None:
        attn = torch.where(mask, attn, torch.tensor(-torch.inf, dtype=attn.dtype, device=attn.device))
    return torch.matmul(softmax(attn, dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} must be divisible by num_heads={num_heads}")
    q = einsum(in_features, q_proj_weight, "... s i, o i -> ... s o")
    k = einsum(in_features, k_proj_weight, "... s i, o i -> ... s o")
    v = einsum(in_features, v_proj_weight, "... s i, o i -> ... s o")
    q = rearrange(q, "... s (h d) -> ... h s d", h=num_heads)
    k = rearrange(k, "... s (h d) -> ... h s d", h=num_heads)
    v = rearrange(v, "... s (h d) -> ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model // num_heads, theta, max_seq_len, q, positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, positions)
    out = scaled_dot_product_attention(q, k, v)
    out = rearrange(out, "... h s d -> ... s (h d)")
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
