"""Weights as nn.Parameter of shape (in, out), multiplied from the right; einsum throughout."""

import math

import torch
from torch import nn


def weight(rows, columns):
    """As nn.Linear draws it, stored the other way round."""
    return nn.Parameter(nn.Linear(rows, columns, bias=False).weight.detach().mT.clone())


class _Projections(nn.Module):
    def __init__(self, d_in, d_out, dropout, qkv_bias):
        super().__init__()
        self.W_q, self.W_k, self.W_v = weight(d_in, d_out), weight(d_in, d_out), weight(d_in, d_out)
        for name in ("b_q", "b_k", "b_v"):
            self.register_parameter(name, nn.Parameter(torch.zeros(d_out)) if qkv_bias else None)
        self.dropout = nn.Dropout(dropout)

    def project(self, x):
        pairs = ((self.W_q, self.b_q), (self.W_k, self.b_k), (self.W_v, self.b_v))
        return [x @ w if b is None else x @ w + b for w, b in pairs]

    def weights(self, scores, width):
        row, column = torch.triu_indices(*scores.shape[-2:], offset=1, device=scores.device)
        scores = scores / width**0.5
        scores[..., row, column] = -math.inf
        return self.dropout(torch.softmax(scores, dim=-1))


class CausalAttention(_Projections):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, dropout, qkv_bias)

    def forward(self, x):
        q, k, v = self.project(x)
        weights = self.weights(torch.einsum("bid,bjd->bij", q, k), q.shape[-1])
        return torch.einsum("bij,bjd->bid", weights, v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        sizes = (d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = nn.ModuleList(CausalAttention(*sizes) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat(tuple(head(x) for head in self.heads), dim=2)


class MultiHeadAttention(_Projections):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        assert d_out % num_heads == 0, f"{d_out} is no multiple of {num_heads}"
        super().__init__(d_in, d_out, dropout, qkv_bias)
        self.num_heads = num_heads
        self.W_o = weight(d_out, d_out)
        self.b_o = nn.Parameter(torch.empty(d_out).uniform_(-(d_out**-0.5), d_out**-0.5))

    def forward(self, x):
        q, k, v = (part.unflatten(-1, (self.num_heads, -1)) for part in self.project(x))
        weights = self.weights(torch.einsum("bihd,bjhd->bhij", q, k), q.shape[-1])
        context = torch.einsum("bhij,bjhd->bihd", weights, v).flatten(2)
        return context @ self.W_o + self.b_o
