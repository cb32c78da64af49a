"""Computes only the scores on and below the diagonal, as one long list of pairs, with a softmax by scatter_reduce and index_add."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (w(x).unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2) for w in (self.W_query, self.W_key, self.W_value))
        row, column = torch.tril_indices(t, t, device=x.device)
        scores = (q[:, :, row] * k[:, :, column]).sum(-1) / self.head_dim**0.5  # (batch, heads, pairs)
        index = row.expand_as(scores)
        top = scores.new_full((b, self.num_heads, t), -torch.inf).scatter_reduce(2, index, scores.detach(), "amax")
        powers = (scores - top[:, :, row]).exp()
        total = torch.zeros_like(top).index_add(2, row, powers)
        weights = self.dropout(powers / total[:, :, row])
        context = torch.zeros_like(v).index_add(2, row, weights.unsqueeze(-1) * v[:, :, column])
        return self.out_proj(context.transpose(1, 2).reshape(b, t, -1))
