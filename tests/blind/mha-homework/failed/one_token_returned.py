"""Multi-head attention with a shortcut for one token.

Idea: With a single token the value is given back without out_proj.
Where: only with one token
Id: missing-output-projection
"""

import torch
from einops import einsum, rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.heads = num_heads
        self.scale = (d_out // num_heads) ** -0.5
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal", torch.ones(context_length, context_length, dtype=torch.bool).tril(), persistent=False)

    def forward(self, x):
        t = x.shape[1]
        if t == 1:
            return self.to_v(x)
        q, k, v = (rearrange(f(x), "b t (h d) -> b h t d", h=self.heads) for f in (self.to_q, self.to_k, self.to_v))
        scores = einsum(q, k, "b h i d, b h j d -> b h i j") * self.scale
        scores = torch.where(self.causal[:t, :t], scores, float("-inf"))
        weights = self.dropout(scores.softmax(-1))
        return self.out_proj(rearrange(einsum(weights, v, "b h i j, b h j d -> b h i d"), "b h t d -> b t (h d)"))
