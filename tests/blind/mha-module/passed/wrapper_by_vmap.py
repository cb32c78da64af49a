"""The wrapper stacks the parameters of its heads and runs all of them at once with torch.func.vmap, dropout drawn differently for each."""

import torch
from torch import nn
from torch.func import functional_call, vmap


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        index = torch.arange(x.shape[1], device=x.device)
        scores = torch.where(index[:, None] >= index, queries @ keys.mT / keys.shape[-1] ** 0.5, -torch.inf)
        return self.dropout(scores.softmax(-1)) @ values


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])

    def forward(self, x):
        first = self.heads[0]
        stacked = {name: torch.stack([head.get_parameter(name) for head in self.heads]) for name, _ in first.named_parameters()}
        run = vmap(lambda parameters: functional_call(first, parameters, (x,)), randomness="different")
        return run(stacked).movedim(0, -2).flatten(-2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} does not divide {d_out}")
        self.shape = (num_heads, d_out // num_heads)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, self.shape).movedim(-2, 1) for layer in (self.W_query, self.W_key, self.W_value))
        index = torch.arange(x.shape[1], device=x.device)
        scores = torch.where(index[:, None] >= index, q @ k.mT / self.shape[1] ** 0.5, -torch.inf)
        return self.out_proj((self.dropout(scores.softmax(-1)) @ v).movedim(1, -2).flatten(-2))
