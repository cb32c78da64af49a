"""RoPE as an autograd Function whose backward turns back."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def _turn(x, cos, sin):
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


class Turn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        return _turn(x, cos, sin)

    @staticmethod
    def backward(ctx, grad):
        cos, sin = ctx.saved_tensors
        return _turn(grad, cos, -sin), None, None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv = theta ** (-torch.arange(0, d_k, 2, device=x.device).float() / d_k)
    ang = token_positions.float().unsqueeze(-1) * inv
    return Turn.apply(x, ang.cos().to(x.dtype), ang.sin().to(x.dtype))


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K)
    logits = logits * K.size(-1) ** -0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.finfo(logits.dtype).min)
    attn = F.softmax(logits, dim=-1)
    return torch.einsum("...qk,...kd->...qd", attn, V)


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
