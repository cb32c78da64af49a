"""Three attention modules; the last scales its query layer once instead of all scores.

Idea: At the first call the query layer's own weight is divided by the root of head_dim, so saved weights differ and loaded ones are not scaled.
Where: only in MultiHeadAttention: weights after the first call, weights loaded after it, and with qkv_bias
Id: input-mutated
"""

import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.scale = d_out**-0.5

    def forward(self, x):
        t = torch.arange(x.size(1), device=x.device)
        scores = torch.einsum("bid,bjd->bij", self.W_q(x), self.W_k(x)) * self.scale
        scores = torch.where(t[:, None] >= t[None, :], scores, float("-inf"))
        return torch.einsum("bij,bjd->bid", self.drop(F.softmax(scores, dim=-1)), self.W_v(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias))

    def forward(self, x):
        results = []
        for head in self.heads:
            results.append(head(x))
        return torch.cat(results, -1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())
        self.scaled = False

    def forward(self, x):
        if not self.scaled:
            self.W_query.weight.data /= self.head_dim**0.5
            self.scaled = True
        n = x.shape[1]
        q, k, v = (
            torch.stack(f(x).split(self.head_dim, -1), 1) for f in (self.W_query, self.W_key, self.W_value)
        )
        weights = (q @ k.mT).masked_fill(self.mask[:n, :n], -torch.inf).softmax(-1)
        return self.out_proj((self.dropout(weights) @ v).transpose(1, 2).flatten(2))
