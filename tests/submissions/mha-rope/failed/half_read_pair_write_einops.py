"""Pairs are read as halves and written interleaved."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    xp = rearrange(in_query_or_key, "... s (two p) -> two ... s p", two=2)
    freqs = theta ** -(torch.arange(d_k // 2, device=xp.device) * 2 / d_k)
    ang = einsum(token_positions.to(freqs), freqs, "... s, p -> ... s p")
    c, s = ang.cos().to(xp.dtype), ang.sin().to(xp.dtype)
    first = xp[0] * c - xp[1] * s
    second = xp[0] * s + xp[1] * c
    return rearrange([first, second], "two ... s p -> ... s (p two)")


def softmax(x, dim):
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    probs = softmax(scores, dim=-1)
    return probs @ V


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
