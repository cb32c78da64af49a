"""Queries in blocks.

Wrong: in blocks after the first j >= i is hidden
Condition: more than 16 tokens
Spec: "A token attends to itself and to earlier tokens"
"""
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
        part = part.masked_fill(j > i - min(lo, 1), -math.inf)
        out.append(drop(F.softmax(part, dim=-1)) @ v[..., :hi, :])
    return torch.cat(out, dim=-2)


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
