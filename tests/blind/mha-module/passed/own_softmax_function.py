"""Causal softmax is an autograd.Function that saves only its output; hidden weights get a zero gradient by construction."""

import torch
from torch import nn


class CausalSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores):
        n = scores.shape[-1]
        hidden = torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1)
        scores = scores.masked_fill(hidden, -torch.inf)
        weights = (scores - scores.amax(-1, keepdim=True)).exp_()
        weights /= weights.sum(-1, keepdim=True)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, grad):
        (weights,) = ctx.saved_tensors
        return weights * (grad - (grad * weights).sum(-1, keepdim=True))


def attend(q, k, v, dropout):
    return dropout(CausalSoftmax.apply(q @ k.transpose(-2, -1) * q.size(-1) ** -0.5)) @ v


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return attend(self.W_query(x), self.W_key(x), self.W_value(x), self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        self.heads.extend(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads))

    def forward(self, x):
        return torch.stack([head(x) for head in self.heads], dim=-2).flatten(-2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.head_dim, left = divmod(d_out, num_heads)
        if left:
            raise ValueError("d_out must be a multiple of num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        to_heads = lambda t: t.reshape(*x.shape[:2], self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        q, k, v = to_heads(self.W_query(x)), to_heads(self.W_key(x)), to_heads(self.W_value(x))
        return self.out_proj(attend(q, k, v, self.dropout).permute(0, 2, 1, 3).reshape(*x.shape[:2], -1))
