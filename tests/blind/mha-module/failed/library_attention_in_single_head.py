"""The single head leaves the attention to F.scaled_dot_product_attention.

Shows in how CausalAttention is built; its numbers are right.
"""

import torch
import torch.nn.functional as F
from torch import nn


class CausalSoftmax(torch.autograd.Function):
    """Softmax over the last axis of (..., tokens, tokens), later tokens hidden."""

    @staticmethod
    def forward(ctx, scores):
        n = scores.shape[-1]
        later = torch.triu(torch.ones(n, n, dtype=torch.bool, device=scores.device), diagonal=1)
        p = torch.softmax(scores.masked_fill(later, -torch.inf), dim=-1)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, grad):
        (p,) = ctx.saved_tensors
        return p * (grad - (grad * p).sum(dim=-1, keepdim=True))


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        p = self.attn_dropout.p if self.training else 0.0
        return F.scaled_dot_product_attention(q, k, v, dropout_p=p, is_causal=True)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.hstack([h(x).mT for h in self.heads]).mT


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise AssertionError("num_heads has to divide d_out")
        self.n_head = num_heads
        self.d_out = d_out
        self.query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.attn_dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.size()
        q = self.query(x).view(B, T, self.n_head, self.d_out // self.n_head).transpose(1, 2)
        k = self.key(x).view(B, T, self.n_head, self.d_out // self.n_head).transpose(1, 2)
        v = self.value(x).view(B, T, self.n_head, self.d_out // self.n_head).transpose(1, 2)
        p = CausalSoftmax.apply(q @ k.mT / q.size(-1) ** 0.5)
        y = self.attn_dropout(p) @ v
        y = y.transpose(1, 2).reshape(B, T, self.d_out)
        return self.out_proj(y)
