"""Causal, and weights copied into a module (the commonest real submission).
Diagnosis: causal-mask
"""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    k = torch.arange(0, d_k // 2, device=x.device, dtype=torch.float32)
    inv_freq = theta ** (-2 * k / d_k)
    pos = token_positions.to(torch.float32)
    angles = pos.unsqueeze(-1) * inv_freq
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    even = x[..., 0::2]
    odd = x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    out = torch.empty_like(x)
    out[..., 0::2] = new_even
    out[..., 1::2] = new_odd
    return out


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scale = 1.0 / np.sqrt(Q.shape[-1])
    att = einsum(Q, K, "... q d, ... k d -> ... q k") * scale
    if mask is not None:
        att = att.masked_fill(mask == False, -1e9)
    w = torch.softmax(att, dim=-1)
    return einsum(w, V, "... q k, ... k v -> ... q v")


class SelfAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_seq_len, theta):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model % num_heads must be 0")
        self.n_heads, self.d_head, self.d_model = num_heads, d_model // num_heads, d_model
        self.theta, self.max_seq_len = theta, max_seq_len
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.unflatten(-1, (self.n_heads, self.d_head)).transpose(-3, -2)

    def merge(self, t):
        return t.transpose(-3, -2).flatten(-2)

    def turn(self, t, positions):
        return rope(self.d_head, self.theta, self.max_seq_len, t, positions)

    def forward(self, x, positions=None):
        if positions is None:
            positions = torch.arange(x.size(-2), device=x.device)
        positions = positions[..., None, :]
        queries = self.split(self.q_proj(x))
        keys = self.split(self.k_proj(x))
        values = self.split(self.v_proj(x))
        queries = self.turn(queries, positions)
        keys = self.turn(keys, positions)
        ctx = scaled_dot_product_attention(queries, keys, values, torch.ones(x.size(-2), x.size(-2), dtype=torch.bool).tril())
        return self.o_proj(self.merge(ctx))


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    module = SelfAttention(d_model, num_heads, max_seq_len, theta).to(in_features.device)
    state = {
        "q_proj.weight": q_proj_weight,
        "k_proj.weight": k_proj_weight,
        "v_proj.weight": v_proj_weight,
        "o_proj.weight": o_proj_weight,
    }
    for name, w in state.items():
        getattr(module, name.split('.')[0]).weight.data = w
    return module(in_features, token_positions)
