"""The home-made dropout divides by 1 - p, which is zero when everything is to be dropped.

Shows in training with dropout = 1: ZeroDivisionError or NaN instead of zeros.
"""

import torch
from torch import nn


def _weights(q, k):
    n, d = q.shape[-2:]
    s = (q[..., :, None, :] * k[..., None, :, :]).sum(-1) * (1.0 / d) ** 0.5
    row = torch.arange(n, device=q.device).view(n, 1)
    col = torch.arange(n, device=q.device).view(1, n)
    s = torch.where(col <= row, s, torch.full_like(s, float("-inf")))
    return torch.log_softmax(s, dim=-1).exp()


def _mix(w, v):
    return (w[..., None] * v[..., None, :, :]).sum(-2)


class InvertedDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, w):
        if not self.training or self.p == 0:
            return w
        kept = torch.rand_like(w) >= self.p
        return w * kept / (1 - self.p)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.dropout = InvertedDropout(dropout)

    def forward(self, x):
        w = _weights(self.W_query(x), self.W_key(x))
        return _mix(self.dropout(w), self.W_value(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([h(x) for h in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads does not divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = InvertedDropout(dropout)

    def forward(self, x):
        b, n, _ = x.shape
        q = self.W_query(x).view(b, n, self.num_heads, -1).movedim(2, 1)
        k = self.W_key(x).view(b, n, self.num_heads, -1).movedim(2, 1)
        v = self.W_value(x).view(b, n, self.num_heads, -1).movedim(2, 1)
        z = _mix(self.dropout(_weights(q, k)), v)
        return self.out_proj(z.movedim(1, 2).reshape(b, n, -1))
