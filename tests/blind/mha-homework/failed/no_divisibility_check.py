"""Multi-head attention that rounds down.

Idea: A d_out that num_heads does not divide is not refused.
Where: only when num_heads does not divide d_out
Rule: divisibility-checked
"""

import torch
import torch.nn.functional as F
from torch import nn


def stable_softmax(scores):
    scores = scores - scores.max(dim=-1, keepdim=True).values.detach()
    powers = scores.exp()
    return powers / powers.sum(dim=-1, keepdim=True)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.h, self.d = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout
        self.register_buffer("hidden", torch.arange(context_length)[None, :] > torch.arange(context_length)[:, None])

    def forward(self, x):
        b, t, _ = x.size()

        def fold(y):
            return y.reshape(b, t, self.h, self.d).permute(0, 2, 1, 3).reshape(b * self.h, t, self.d)

        q, k, v = fold(self.W_query(x)), fold(self.W_key(x)), fold(self.W_value(x))
        scores = torch.bmm(q, k.permute(0, 2, 1)) / self.d**0.5
        scores = scores.masked_fill(self.hidden[:t, :t], float("-inf"))
        w = F.dropout(stable_softmax(scores), self.p, training=self.training)
        y = torch.bmm(w, v).reshape(b, self.h, t, self.d).permute(0, 2, 1, 3).reshape(b, t, self.h * self.d)
        return self.out_proj(y)
