"""Keys first: the scores are (keys, queries), the softmax runs over dim=-2, and the lower triangle is hidden. Still right."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, (d_out, num_heads)
        self.shape = (num_heads, d_out // num_heads)
        self.W_Q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_K = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_V = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_O = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.mask = torch.tril(torch.ones(context_length, context_length), diagonal=-1).bool()

    def forward(self, x):
        tokens = x.shape[-2]
        q = self.W_Q(x).unflatten(-1, self.shape).movedim(2, 1)
        k = self.W_K(x).unflatten(-1, self.shape).movedim(2, 1)
        v = self.W_V(x).unflatten(-1, self.shape).movedim(2, 1)
        scores = k @ q.mT / self.shape[1] ** 0.5
        scores[..., self.mask[:tokens, :tokens]] = -torch.inf
        weights = self.dropout(scores.softmax(dim=-2))
        return self.W_O((weights.mT @ v).movedim(1, 2).flatten(-2))
