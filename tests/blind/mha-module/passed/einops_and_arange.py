"""Three attention modules with einops and a comparison of positions in place of a mask buffer."""

import torch
import torch.nn.functional as F
from einops import rearrange
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
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.h = num_heads
        self.W_q = nn.Linear(d_in, d_out, qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        n = x.size(1)
        q, k, v = (rearrange(w(x), "b n (h d) -> b h n d", h=self.h) for w in (self.W_q, self.W_k, self.W_v))
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / q.size(-1) ** 0.5
        later = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        weights = self.drop(scores.masked_fill(later, float("-inf")).softmax(dim=-1))
        return self.out_proj(rearrange(weights @ v, "b h n d -> b n (h d)"))
