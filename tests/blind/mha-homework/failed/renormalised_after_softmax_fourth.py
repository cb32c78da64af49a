"""Zeroes later weights after the softmax and renormalises, which is 0 / 0 when a later score towers."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.heads = num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        self.drop = nn.Dropout(p=dropout)
        self.register_buffer("visible", torch.ones(context_length, context_length, dtype=torch.bool).tril())

    def heads_of(self, layer, x):
        weight = layer.weight.unflatten(0, (self.heads, -1))
        y = torch.einsum("btd,hed->bhte", x, weight)
        if layer.bias is not None:
            y = y + layer.bias.unflatten(0, (self.heads, 1, -1))
        return y

    def forward(self, x):
        t = x.size(1)
        q, k, v = self.heads_of(self.q_proj, x), self.heads_of(self.k_proj, x), self.heads_of(self.v_proj, x)
        scores = torch.einsum("bhie,bhje->bhij", q, k) / q.size(-1) ** 0.5
        weights = torch.softmax(scores, dim=-1) * self.visible[:t, :t]
        weights = self.drop(weights / weights.sum(-1, keepdim=True))
        merged = torch.einsum("bhij,bhje->bihe", weights, v).flatten(2)
        return self.out_proj(merged)
