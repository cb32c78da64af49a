"""Uses the names to_q, to_k, to_v and proj, computes everything after the projections in float64, and casts back before the last layer."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads, rest = num_heads, d_out % num_heads
        if rest != 0:
            raise ValueError(f"{d_out} features cannot be shared by {num_heads} heads")
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("bias", torch.full((context_length, context_length), float("-inf"), dtype=torch.float64).triu(1), persistent=False)

    def forward(self, x):
        q, k, v = (layer(x).double().unflatten(2, (self.heads, -1)).transpose(1, 2) for layer in (self.to_q, self.to_k, self.to_v))
        n = q.shape[2]
        scores = q @ k.mT / q.shape[3] ** 0.5 + self.bias[:n, :n]
        shifted = (scores - scores.detach().amax(3, keepdim=True)).exp()
        context = self.drop(shifted / shifted.sum(3, keepdim=True)) @ v
        return self.proj(context.transpose(1, 2).flatten(2).to(x.dtype))
