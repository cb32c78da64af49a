"""The added mask is a parameter, so an optimiser step changes who sees whom and how much."""
# expect: mask is a trained parameter
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, qkv_bias) for _ in "qkv")
        self.out_proj, self.dropout, self.h = nn.Linear(d_out, d_out), nn.Dropout(dropout), num_heads
        self.mask = nn.Parameter(torch.full((context_length,) * 2, -torch.inf).triu(1))

    def forward(self, x):
        q, k, v = (f(x).unflatten(2, (self.h, -1)).transpose(1, 2) for f in (self.W_query, self.W_key, self.W_value))
        s = q @ k.mT / q.shape[-1] ** 0.5 + self.mask[: x.shape[1], : x.shape[1]]
        return self.out_proj((self.dropout(s.softmax(-1)) @ v).transpose(1, 2).flatten(2))
