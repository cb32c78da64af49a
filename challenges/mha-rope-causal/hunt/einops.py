"""Causal multi-head self-attention with RoPE, with einops and complex numbers."""

import math

import torch
from einops import einsum, rearrange, repeat
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = rearrange(in_query_or_key.double(), "... (pair two) -> ... pair two", two=2)
    power = torch.arange(0, d_k, 2, device=x.device, dtype=torch.double) / d_k
    angle = einsum(token_positions.double(), theta**-power, "... seq, pair -> ... seq pair")
    turn = torch.polar(torch.ones_like(angle), angle)
    turned = torch.view_as_real(torch.view_as_complex(x.contiguous()) * turn)
    return rearrange(turned, "... pair two -> ... (pair two)").to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    logits = einsum(Q, K, "... i d, ... j d -> ... i j") / math.sqrt(K.size(-1))
    if mask is not None:
        logits = torch.where(mask, logits, float("-inf"))
    return einsum(logits.softmax(dim=-1), V, "... i j, ... j d -> ... i d")


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
    assert d_model % num_heads == 0, f"{d_model=} must be a multiple of {num_heads=}"
    length = in_features.size(-2)
    place = torch.arange(length, device=in_features.device)
    if token_positions is None:
        token_positions = place
    if token_positions.ndim > 1:
        token_positions = rearrange(token_positions, "... seq -> ... 1 seq")

    q = rearrange(in_features @ q_proj_weight.T, "... seq (h d) -> ... h seq d", h=num_heads)
    k = rearrange(in_features @ k_proj_weight.T, "... seq (h d) -> ... h seq d", h=num_heads)
    v = rearrange(in_features @ v_proj_weight.T, "... seq (h d) -> ... h seq d", h=num_heads)
    q = rope(q.size(-1), theta, max_seq_len, q, token_positions)
    k = rope(k.size(-1), theta, max_seq_len, k, token_positions)

    query_place = rearrange(place, "i -> i 1")
    key_place = repeat(place, "j -> i j", i=length)
    seen = scaled_dot_product_attention(q, k, v, mask=key_place <= query_place)
    return rearrange(seen, "... h seq d -> ... seq (h d)") @ o_proj_weight.T
