"""Builds the mask in the first call and keeps it for sequences of other lengths."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out is not a multiple of num_heads"
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self._masks = {}

    def later(self, tokens, device):
        key = device
        if key not in self._masks:
            with torch.inference_mode(False):
                self._masks[key] = torch.ones(tokens, tokens, dtype=torch.bool, device=device).triu(1)
        return self._masks[key]

    def forward(self, x):
        batch, tokens, _ = x.shape
        q, k, v = (
            layer(x).reshape(batch, tokens, self.num_heads, -1).swapaxes(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = (q / q.shape[-1] ** 0.5) @ k.swapaxes(-1, -2)
        scores = scores.masked_fill_(self.later(tokens, x.device), -torch.inf)
        weights = self.dropout(scores.softmax(-1))
        return self.out_proj((weights @ v).swapaxes(1, 2).reshape(batch, tokens, -1))
