"""Attention with rotary positions. The rotation is a product of complex numbers."""
from __future__ import annotations

import torch
from einops import einsum, rearrange
from jaxtyping import Bool, Float, Int
from torch import Tensor


def rope(
    d_k: int,
    theta: float,
    max_seq_len: int,
    in_query_or_key: Float[Tensor, "... seq d_k"],
    token_positions: Int[Tensor, "... seq"],
) -> Float[Tensor, "... seq d_k"]:
    half = d_k // 2
    exponent = torch.arange(half, dtype=torch.float64) / half
    angle = token_positions[..., None].double() / torch.pow(float(theta), exponent)
    turn = torch.complex(torch.cos(angle), torch.sin(angle))
    pairs = rearrange(in_query_or_key, "... (i two) -> ... i two", two=2).double().contiguous()
    turned = torch.view_as_real(torch.view_as_complex(pairs) * turn)
    return rearrange(turned, "... i two -> ... (i two)").to(in_query_or_key.dtype)


def softmax(x: Float[Tensor, "... n"]) -> Float[Tensor, "... n"]:
    e = torch.exp(x - x.amax(dim=-1, keepdim=True).detach())
    return e / e.sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(
    Q: Float[Tensor, "... queries d_k"],
    K: Float[Tensor, "... keys d_k"],
    V: Float[Tensor, "... keys d_v"],
    mask: Bool[Tensor, "... queries keys"] | None = None,
) -> Float[Tensor, "... queries d_v"]:
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") * K.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return einsum(softmax(scores), V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Float[Tensor, "d_model d_model"],
    k_proj_weight: Float[Tensor, "d_model d_model"],
    v_proj_weight: Float[Tensor, "d_model d_model"],
    o_proj_weight: Float[Tensor, "d_model d_model"],
    in_features: Float[Tensor, "... seq d_model"],
    token_positions: Int[Tensor, "... seq"] | None = None,
) -> Float[Tensor, "... seq d_model"]:
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model} is not a multiple of num_heads={num_heads}")
    seq = in_features.shape[-2]
    if seq > max_seq_len:
        raise ValueError("sequence too long")
    pos = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    if pos.ndim > 1 and pos.shape[0] == 1 and in_features.ndim == 2:
        pos = pos[0]
    pos = rearrange(pos, "... s -> ... 1 s")

    q, k, v = (
        rearrange(einsum(in_features, w, "... s i, o i -> ... s o"), "... s (h d) -> ... h s d", h=num_heads)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, pos) for t in (q, k))
    y = scaled_dot_product_attention(q, k, v)
    return einsum(rearrange(y, "... h s d -> ... s (h d)"), o_proj_weight, "... s i, o i -> ... s o").reshape(in_features.shape)


if __name__ == "__main__":
    eye = torch.eye(2)
    print(multihead_self_attention_with_rope(2, 1, 2, 10000.0, eye, eye, eye, eye, eye))
