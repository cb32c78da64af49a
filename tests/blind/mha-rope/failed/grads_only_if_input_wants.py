"""Gradients are recorded only if in_features asks for one.

Shows when weights want gradients and in_features does not.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn


class RotaryTable(nn.Module):
    def __init__(self, d_k, theta, max_seq_len, device=None):
        super().__init__()
        self.max_seq_len = max_seq_len
        inv_freq = 1.0 / float(theta) ** (torch.arange(0, d_k, 2, device=device, dtype=torch.float64) / d_k)
        angles = torch.outer(torch.arange(max_seq_len, device=device, dtype=torch.float64), inv_freq)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x, positions):
        cos = self.cos[positions].to(x.dtype)
        sin = self.sin[positions].to(x.dtype)
        a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
        out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
        return out.reshape(x.shape)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    table = RotaryTable(d_k, theta, max_seq_len, in_query_or_key.device)
    return table(in_query_or_key, token_positions.to(in_query_or_key.device))


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(K.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == False, float("-inf"))  # noqa: E712
    return torch.matmul(F.softmax(scores, dim=-1), V)


class SelfAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_seq_len, theta, wq, wk, wv, wo):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features cannot be shared by {num_heads} heads")
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.max_seq_len = max_seq_len
        self.theta = theta
        self.wq = wq
        self.wk = wk
        self.wv = wv
        self.wo = wo

    def split(self, x):
        x = x.reshape(x.shape[:-1] + (self.num_heads, self.d_head))
        return x.transpose(-3, -2)

    def merge(self, x):
        x = x.transpose(-3, -2)
        return x.reshape(x.shape[:-2] + (self.num_heads * self.d_head,))

    def positions(self, x, given):
        if given is None:
            given = torch.arange(x.shape[-2], device=x.device)
        if x.dim() == 2:
            return given.reshape(x.shape[0])
        return given.unsqueeze(-2) if given.dim() > 1 else given

    def forward(self, x, token_positions=None):
        where = self.positions(x, token_positions)
        q = self.split(F.linear(x, self.wq))
        k = self.split(F.linear(x, self.wk))
        v = self.split(F.linear(x, self.wv))
        q = rope(self.d_head, self.theta, self.max_seq_len, q, where)
        k = rope(self.d_head, self.theta, self.max_seq_len, k, where)
        return F.linear(self.merge(scaled_dot_product_attention(q, k, v)), self.wo)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    layer = SelfAttention(
        d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight
    )
    # no graph is needed where nothing is trained
    train = torch.is_grad_enabled() and in_features.requires_grad
    with torch.set_grad_enabled(train):
        return layer(in_features, token_positions)
