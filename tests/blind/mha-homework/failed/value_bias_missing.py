"""With qkv_bias only the layers for queries and keys get a bias, the one for values has none.

Shows where qkv_bias is True.
"""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads > 0:
            raise ValueError("bad number of heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).tril())

    def one_sequence(self, seq):
        n, h = seq.shape[0], self.num_heads
        q = self.W_query(seq).reshape(n, 1, h, -1)
        k = self.W_key(seq).reshape(1, n, h, -1)
        v = self.W_value(seq).reshape(1, n, h, -1)
        scores = (q * k).sum(-1) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(~self.mask[:n, :n, None], float("-inf"))
        weights = self.dropout(scores.softmax(dim=1))
        return self.out_proj((weights[..., None] * v).sum(1).reshape(n, -1))

    def forward(self, x):
        return torch.vmap(self.one_sequence, randomness="different")(x)
