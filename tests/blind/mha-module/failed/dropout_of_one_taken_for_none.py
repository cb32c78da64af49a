"""Einsum attention.

Wrong: dropout is applied for 0 < p < 1 only
Condition: dropout == 1 in training
Spec: "dropout from 0 to 1"
"""
import torch
from torch import nn


def causal_weights(scores):
    t = scores.shape[-1]
    keep = torch.tril(torch.ones((t, t), dtype=torch.bool, device=scores.device))
    scores = torch.where(keep, scores, torch.full_like(scores, float("-inf")))
    peak = scores.amax(dim=-1, keepdim=True).detach()
    e = torch.exp(scores - peak)
    return e / e.sum(dim=-1, keepdim=True)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.scale = d_out**-0.5
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout if dropout < 1 else 0.0)

    def forward(self, x):
        s = torch.einsum("bid,bjd->bij", self.W_query(x), self.W_key(x)) * self.scale
        w = self.dropout(causal_weights(s))
        return torch.einsum("bij,bjd->bid", w, self.W_value(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.n, self.hd = num_heads, d_out // num_heads
        self.scale = self.hd**-0.5
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout if dropout < 1 else 0.0)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).reshape(b, t, self.n, self.hd)
        k = self.W_key(x).reshape(b, t, self.n, self.hd)
        v = self.W_value(x).reshape(b, t, self.n, self.hd)
        s = torch.einsum("bihd,bjhd->bhij", q, k) * self.scale
        w = self.dropout(causal_weights(s))
        y = torch.einsum("bhij,bjhd->bihd", w, v)
        return self.out_proj(y.reshape(b, t, self.n * self.hd))
