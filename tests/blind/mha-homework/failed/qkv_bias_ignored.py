"""Multi-head attention whose projections never have a bias.

Idea: qkv_bias is ignored.
Where: only when qkv_bias is true
"""

import torch
from torch import nn


def causal_mask(n):
    rows = torch.arange(n).unsqueeze(1)
    return rows < torch.arange(n)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self._check(d_out, num_heads)
        self.num_heads = num_heads
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        self.attn_dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))

    @staticmethod
    def _check(d_out, num_heads):
        if d_out % num_heads != 0:
            raise ValueError("not divisible")

    def into_heads(self, y):
        return torch.stack(y.chunk(self.num_heads, dim=-1), dim=1)  # (b, h, t, d)

    def out_of_heads(self, y):
        return torch.cat(y.unbind(1), dim=-1)  # (b, t, h * d)

    def weights(self, q, k):
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5
        t = scores.shape[-1]
        scores = scores.masked_fill(self.mask[:t, :t], -torch.inf)
        log_sum = torch.logsumexp(scores, dim=-1, keepdim=True)
        return self.attn_dropout(torch.exp(scores - log_sum))

    def forward(self, x):
        q, k, v = self.into_heads(self.W_query(x)), self.into_heads(self.W_key(x)), self.into_heads(self.W_value(x))
        return self.out_proj(self.out_of_heads(self.weights(q, k) @ v))
