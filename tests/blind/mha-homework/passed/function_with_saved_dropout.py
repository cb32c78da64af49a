"""The core is a torch.autograd.Function; the dropout pattern is drawn outside by nn.Dropout on ones and handed in."""

import torch
from torch import nn


class Core(torch.autograd.Function):
    """softmax(causal scores) * pattern @ v."""

    @staticmethod
    def forward(ctx, q, k, v, pattern):
        t = q.shape[-2]
        scores = (q @ k.mT) * q.shape[-1] ** -0.5
        scores += torch.full((t, t), -torch.inf, dtype=q.dtype, device=q.device).triu_(1)
        weights = torch.softmax(scores, -1)
        ctx.save_for_backward(q, k, v, weights, pattern)
        return (weights * pattern) @ v

    @staticmethod
    def backward(ctx, grad):
        q, k, v, weights, pattern = ctx.saved_tensors
        d_weights = (grad @ v.mT) * pattern
        d_scores = weights * (d_weights - (d_weights * weights).sum(-1, keepdim=True)) * q.shape[-1] ** -0.5
        return d_scores @ k, d_scores.mT @ q, (weights * pattern).mT @ grad, None


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (layer(x).reshape(b, t, self.num_heads, -1).transpose(1, 2) for layer in (self.W_query, self.W_key, self.W_value))
        pattern = self.dropout(torch.ones(b, self.num_heads, t, t, dtype=x.dtype, device=x.device))
        return self.out_proj(Core.apply(q, k, v, pattern).transpose(1, 2).reshape(b, t, -1))
