"""A dataclass under from __future__ import annotations, and a NamedTuple."""

from __future__ import annotations
from torch import Tensor



from dataclasses import dataclass
from typing import NamedTuple, Optional

import torch


class Heads(NamedTuple):
    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor


@dataclass
class Shape:
    heads: int
    width: int
    note: Optional[str] = None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


def softmax(x: Tensor, dim: int) -> Tensor:
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    attn = torch.matmul(Q, K.mT) / Q.size(-1) ** 0.5
    if mask is not None:
        attn = torch.where(mask, attn, torch.tensor(-torch.inf, dtype=attn.dtype, device=attn.device))
    return torch.matmul(softmax(attn, dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    shape = Shape(num_heads, d_model // num_heads)
    heads = Heads(*((in_features @ w.T).unflatten(-1, (shape.heads, shape.width)).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight)))
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])
    p = token_positions.unsqueeze(-2)
    heads = heads._replace(q=rope(shape.width, theta, max_seq_len, heads.q, p), k=rope(shape.width, theta, max_seq_len, heads.k, p))
    return scaled_dot_product_attention(*heads).transpose(-3, -2).flatten(-2) @ o_proj_weight.T
