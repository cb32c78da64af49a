"""Attention of one head, mapped over the heads with torch.vmap."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.split = (num_heads, d_out // num_heads)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def one_head(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / self.split[1] ** 0.5
        hidden = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return self.dropout(torch.softmax(scores.masked_fill(hidden, -torch.inf), -1)) @ v

    def forward(self, x):
        q = self.W_query(x).unflatten(-1, self.split)
        k = self.W_key(x).unflatten(-1, self.split)
        v = self.W_value(x).unflatten(-1, self.split)
        heads = torch.vmap(self.one_head, in_dims=2, out_dims=2, randomness="different")
        return self.out_proj(heads(q, k, v).flatten(2))


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.scale = d_out**-0.5
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        scores = torch.einsum("bid,bjd->bij", self.q_proj(x) * self.scale, self.k_proj(x))
        index = torch.arange(x.size(-2), device=x.device)
        scores = scores.masked_fill(index[None, :] > index[:, None], float("-inf"))
        return torch.einsum("bij,bjd->bid", self.drop(scores.softmax(-1)), self.v_proj(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias))

    def forward(self, x):
        outputs = []
        for head in self.heads:
            outputs.append(head(x))
        return torch.cat(outputs, dim=2)
