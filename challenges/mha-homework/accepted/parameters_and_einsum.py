"""Weights as nn.Parameter of shape (heads, in, head_dim): no splitting at all, einsum does it."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        head_dim = d_out // num_heads
        self.scale = head_dim**-0.5
        for name in ("query", "key", "value"):
            drawn = nn.Linear(d_in, d_out, bias=False).weight.detach()
            heads = drawn.unflatten(0, (num_heads, head_dim)).mT.clone()
            self.register_parameter(f"W_{name}", nn.Parameter(heads))
            self.register_parameter(f"b_{name}", nn.Parameter(torch.zeros(d_out)) if qkv_bias else None)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.num_heads = num_heads

    def project(self, x, weight, bias):
        heads = torch.einsum("bti,hid->bhtd", x, weight)
        return heads if bias is None else heads + bias.view(self.num_heads, 1, -1)

    def forward(self, x):
        q = self.project(x, self.W_query, self.b_query)
        k = self.project(x, self.W_key, self.b_key)
        v = self.project(x, self.W_value, self.b_value)
        scores = torch.einsum("bhid,bhjd->bhij", q, k).mul(self.scale)
        hidden = torch.ones(x.shape[1], x.shape[1], device=x.device).triu(diagonal=1) == 1
        weights = self.dropout(scores.masked_fill(hidden, torch.finfo(x.dtype).min).softmax(-1))
        return self.out_proj(torch.einsum("bhij,bhjd->bihd", weights, v).flatten(2))
