"""The single head registers its additive mask as a parameter, so an optimizer trains it.

Shows in CausalAttention and the wrapper: one parameter more, and after a step of training visible scores are shifted.
"""

import torch
import torch.nn.functional as F
from torch import nn


def causal_bias(n):
    return torch.full((n, n), float("-inf")).triu_(1)


def attend(q, k, v, bias, drop):
    """q, k, v: (anything, tokens, width); bias: (tokens, tokens) of zeros and -inf."""
    groups, tokens, width = q.shape
    bias = bias[:tokens, :tokens].to(q.dtype).expand(groups, tokens, tokens)
    scores = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=width**-0.5)
    return torch.bmm(drop(F.softmax(scores, dim=2)), v)


def fold(t, heads):
    """(batch, tokens, heads * width) -> (batch * heads, tokens, width)"""
    b, n, d = t.shape
    return t.reshape(b, n, heads, d // heads).transpose(1, 2).reshape(b * heads, n, d // heads)


def unfold(t, heads):
    """(batch * heads, tokens, width) -> (batch, tokens, heads * width)"""
    bh, n, w = t.shape
    return t.reshape(bh // heads, heads, n, w).transpose(1, 2).reshape(bh // heads, n, heads * w)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.q_proj = nn.Linear(d_in, d_out, qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.bias = nn.Parameter(causal_bias(context_length))

    def forward(self, x):
        return attend(self.q_proj(x), self.k_proj(x), self.v_proj(x), self.bias, self.drop)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        for i in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        return torch.concat([h(x) for h in self.heads], -1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_in, d_out, qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("bias", causal_bias(context_length), persistent=False)

    def forward(self, x):
        q = fold(self.q_proj(x), self.num_heads)
        k = fold(self.k_proj(x), self.num_heads)
        v = fold(self.v_proj(x), self.num_heads)
        z = attend(q, k, v, self.bias, self.drop)
        return self.out_proj(unfold(z, self.num_heads))
