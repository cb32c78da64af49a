"""A loop over tokens, each with its prefix: no mask at all.
"""

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """Token by token, like generation does: each query looks at the prefix only, so no mask is needed."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = self.W_query(x).unflatten(-1, (self.h, -1))
        k = self.W_key(x).unflatten(-1, (self.h, -1))
        v = self.W_value(x).unflatten(-1, (self.h, -1))
        outs = []
        for t in range(x.shape[1]):
            s = torch.einsum("bhd,bshd->bhs", q[:, t], k[:, : t + 1]) / q.shape[-1] ** 0.5
            w = self.dropout(torch.softmax(s, dim=-1))
            outs.append(torch.einsum("bhs,bshd->bhd", w, v[:, : t + 1]).flatten(1))
        return self.out_proj(torch.stack(outs, dim=1))
