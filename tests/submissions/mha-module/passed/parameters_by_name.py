"""All weights are asked for by name, as parameters; those of the wrapper's heads make one layer."""

import torch
from torch import nn


def attended(q, k, v, dropout):
    later = torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool).triu(1)
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(later, -torch.inf)
    return dropout(scores.softmax(dim=-1)) @ v


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return attended(self.W_query(x), self.W_key(x), self.W_value(x), self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def projected(self, x, name):
        weight = torch.stack([head.get_parameter(f"{name}.weight") for head in self.heads])
        y = x.unsqueeze(1) @ weight.mT
        if self.heads[0].get_submodule(name).bias is not None:
            y = y + torch.stack([head.get_parameter(f"{name}.bias") for head in self.heads]).unsqueeze(1)
        return y

    def forward(self, x):
        q, k, v = (self.projected(x, name) for name in ("W_query", "W_key", "W_value"))
        return attended(q, k, v, self.heads[0].dropout).transpose(1, 2).flatten(-2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"num_heads = {num_heads} does not divide d_out = {d_out}")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        assert all(isinstance(parameter, nn.Parameter) for parameter in self.parameters())
        layers = (self.W_query, self.W_key, self.W_value)
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in layers)
        return self.out_proj(attended(q, k, v, self.dropout).transpose(1, 2).flatten(-2))
