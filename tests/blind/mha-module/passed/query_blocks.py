"""Works through the queries in blocks of 16 against the keys before their end (a loop over blocks, not over heads)."""
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


BLOCK = 16


def attend(q: Tensor, k: Tensor, v: Tensor, drop: nn.Module) -> Tensor:
    t = q.size(-2)
    out = []
    for lo in range(0, t, BLOCK):
        hi = min(lo + BLOCK, t)
        part = q[..., lo:hi, :] @ k[..., :hi, :].transpose(-1, -2)
        part = part * q.size(-1) ** -0.5
        i = torch.arange(lo, hi, device=q.device).unsqueeze(1)
        j = torch.arange(hi, device=q.device)
        part = part.masked_fill(j > i, -math.inf)
        out.append(drop(F.softmax(part, dim=-1)) @ v[..., :hi, :])
    return torch.cat(out, dim=-2)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q, k, v, self.drop)


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
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def split(self, t):
        return t.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def forward(self, x):
        q = self.split(self.W_query(x))
        k = self.split(self.W_key(x))
        v = self.split(self.W_value(x))
        y = attend(q, k, v, self.drop)
        y = y.transpose(1, 2).flatten(2)
        return self.out_proj(y)
