"""The mask is made at the first call and kept; made under inference_mode, it cannot be used by autograd later.

Shows for a training call after a first call under torch.inference_mode.

Its writer took that for wrong; the spec, which did not say it then, allows it.
"""
import torch
from torch import nn


class CausalMask(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.length = length
        self.cache = None

    def forward(self, scores):
        n = scores.shape[-1]
        if self.cache is None:
            self.cache = torch.ones(self.length, self.length, dtype=torch.bool, device=scores.device).triu(1)
        return scores.masked_fill(self.cache[:n, :n], float("-inf"))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads does not divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.weights = nn.Sequential(nn.Softmax(dim=-1), nn.Dropout(dropout))
        self.mask = CausalMask(context_length)

    def forward(self, x):
        def heads(t):
            return t.unflatten(-1, (self.num_heads, -1)).movedim(2, 1)

        q, k, v = heads(self.W_query(x)), heads(self.W_key(x)), heads(self.W_value(x))
        scores = self.mask(q @ k.movedim(-1, -2) / q.shape[-1] ** 0.5)
        return self.out_proj((self.weights(scores) @ v).movedim(1, 2).flatten(2))
