import math

import torch
import torch.nn as nn
import torch.nn.functional as F

NEG = -1e30


class MultiHeadAttention(nn.Module):
    """The heads stay behind the tokens; einsum keeps the axes apart."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("uneven heads")
        self.h = num_heads
        self.e = d_out // num_heads
        self.p = dropout
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.out_proj = nn.Linear(d_out, d_out)
        self.register_buffer("bias", torch.full((context_length, context_length), NEG).triu_(1))

    def forward(self, x):
        b, t, _ = x.size()
        q, k, v = [f(x).reshape(b, t, self.h, self.e) for f in (self.W_query, self.W_key, self.W_value)]
        q = q * (1.0 / math.sqrt(self.e))
        att = torch.einsum("bihe,bjhe->bhij", q, k) + self.bias[:t, :t]
        att = F.softmax(att, dim=-1)
        att = F.dropout(att, p=self.p, training=self.training)
        y = torch.einsum("bhij,bjhe->bihe", att, v)
        return self.out_proj(y.reshape(b, t, self.h * self.e))
