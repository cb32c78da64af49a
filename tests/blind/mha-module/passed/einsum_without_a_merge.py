"""Three attention modules; the last one keeps the heads on the third axis and never transposes."""

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
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if num_heads < 1 or d_out % num_heads != 0:
            raise ValueError("bad number of heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("seen", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        b, n, _ = x.shape
        shape = (b, n, self.num_heads, self.head_dim)
        q, k, v = self.W_query(x).view(shape), self.W_key(x).view(shape), self.W_value(x).view(shape)
        scores = torch.einsum("bihd,bjhd->bhij", q, k) / self.head_dim**0.5
        scores = scores.masked_fill(self.seen[:n, :n] == 0, torch.finfo(scores.dtype).min)
        out = torch.einsum("bhij,bjhd->bihd", self.dropout(scores.softmax(-1)), v)
        return self.out_proj(out.flatten(2))
