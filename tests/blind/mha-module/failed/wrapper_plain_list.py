"""The wrapper keeps its heads in a plain list, so that PyTorch does not know them.

Shows in MultiHeadAttentionWrapper always: no parameters, an empty state_dict, and eval() or double() do not reach the heads.
"""

import torch
from torch import einsum, nn


def is_future(x):
    t = torch.arange(x.shape[1], device=x.device)
    return t[None, :] > t[:, None]


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.d = d_out

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        s = einsum("bqd,bkd->bqk", q, k) / self.d**0.5
        s = s.masked_fill(is_future(x), float("-inf"))
        a = self.drop(s.softmax(dim=-1))
        return einsum("bqk,bkd->bqd", a, v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        args = (d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = [CausalAttention(*args) for _ in range(num_heads)]

    def forward(self, x):
        return torch.cat(tuple(h(x) for h in self.heads), dim=2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.h = num_heads
        self.d = d_out // num_heads
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q = self.W_q(x).unflatten(-1, (self.h, self.d)).transpose(1, 2)
        k = self.W_k(x).unflatten(-1, (self.h, self.d)).transpose(1, 2)
        v = self.W_v(x).unflatten(-1, (self.h, self.d)).transpose(1, 2)
        s = einsum("bhqd,bhkd->bhqk", q, k) / self.d**0.5
        s = s.masked_fill(is_future(x), float("-inf"))
        a = self.drop(s.softmax(dim=-1))
        z = einsum("bhqk,bhkd->bqhd", a, v)
        return self.out_proj(z.flatten(2))
