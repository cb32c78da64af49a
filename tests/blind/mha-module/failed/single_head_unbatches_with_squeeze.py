"""A single head that squeezes its result.

Idea: squeeze drops the axes of size one, batch and tokens among them.
Where: only when batch, tokens or d_out is 1, in CausalAttention and in the wrapper
"""

import functools
import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.root = math.sqrt(d_out)

    def forward(self, x):
        q, k, v = (layer(x) for layer in (self.to_q, self.to_k, self.to_v))
        logits = torch.bmm(q, k.transpose(1, 2)) / self.root
        bias = logits.new_full((x.shape[1], x.shape[1]), -math.inf).triu(1)
        logits = logits + bias
        log_weights = logits - torch.logsumexp(logits, dim=-1, keepdim=True)
        weights = self.dropout(log_weights.exp())
        return torch.bmm(weights, v).squeeze()


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        new_head = functools.partial(CausalAttention, d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = nn.ModuleList([new_head() for _ in range(num_heads)])

    def forward(self, x):
        return torch.concat(tuple(map(lambda head: head(x), self.heads)), -1)


class MultiHeadAttention(nn.Module):
    """Batch and heads share one axis, so that torch.bmm will do."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads is not zero")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def _fold(self, t):
        b, n, _ = t.shape
        t = t.reshape(b, n, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        return t.reshape(b * self.num_heads, n, self.head_dim)

    def _unfold(self, t, b):
        n = t.shape[1]
        t = t.reshape(b, self.num_heads, n, self.head_dim).permute(0, 2, 1, 3)
        return t.reshape(b, n, self.num_heads * self.head_dim)

    def forward(self, x):
        q = self._fold(self.W_query(x))
        k = self._fold(self.W_key(x))
        v = self._fold(self.W_value(x))
        n = x.shape[1]
        m = torch.full((n, n), -math.inf, dtype=q.dtype, device=q.device).triu(1)
        scores = torch.baddbmm(m.expand(q.shape[0], n, n), q, k.transpose(1, 2), alpha=1 / math.sqrt(self.head_dim))
        w = self.dropout(torch.softmax(scores, dim=2))
        return self.out_proj(self._unfold(torch.bmm(w, v), x.shape[0]))
