"""Annotations of jaxtyping, not checked at run time."""

import torch.nn.functional as F
import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key: Float[Tensor, " ... sequence_length d_k"], token_positions: Int[Tensor, " ... sequence_length"]) -> Float[Tensor, " ... sequence_length d_k"]:
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


def scaled_dot_product_attention(Q: Float[Tensor, " ... queries d_k"], K: Float[Tensor, " ... keys d_k"], V: Float[Tensor, " ... values d_v"], mask: Bool[Tensor, " ... queries keys"] | None = None) -> Float[Tensor, " ... queries d_v"]:
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
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
    in_features: Float[Tensor, " ... sequence_length d_model"],
    token_positions: Int[Tensor, " ... sequence_length"] | None = None,
) -> Float[Tensor, " ... sequence_length d_model"]:
    if d_model % num_heads:
        raise ValueError("num_heads has to divide d_model")
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    qkv = [F.linear(in_features, w) for w in (q_proj_weight, k_proj_weight, v_proj_weight)]
    q, k, v = [t.unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for t in qkv]
    pos = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    pos = pos.expand(*lead, seq).unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    heads = scaled_dot_product_attention(q, k, v, torch.arange(q.shape[-2])[:, None] >= torch.arange(q.shape[-2])[None, :])
    return F.linear(heads.transpose(-3, -2).flatten(-2), o_proj_weight)
