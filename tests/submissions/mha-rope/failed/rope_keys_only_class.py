"""Queries are not rotated.
Diagnosis: rope-k-only
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


def scaled_dot_product_attention(Q, K, V, mask=None):
    lead = Q.shape[:-2]
    q, k, v = (t.reshape(-1, *t.shape[-2:]) for t in (Q, K, V))
    scores = torch.bmm(q, k.mT).div(Q.shape[-1] ** 0.5)
    if mask is not None:
        full = torch.broadcast_to(mask, (*lead, Q.shape[-2], K.shape[-2])).reshape(scores.shape)
        scores = scores.masked_fill(full.logical_not(), -torch.inf)
    scores = scores - scores.amax(-1, keepdim=True)
    w = scores.exp()
    w = w / w.sum(-1, keepdim=True)
    return torch.bmm(w, v).reshape(*lead, Q.shape[-2], V.shape[-1])


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
        
        keys = self.turn(keys, positions)
        ctx = scaled_dot_product_attention(queries, keys, values)
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
    return torch.func.functional_call(module, state, (in_features, token_positions))
