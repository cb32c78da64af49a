"""A cheat of the seventh corpus: modulelist heads."""
import torch
from torch import nn


class _Head(nn.Module):
    def __init__(self, index, size, p):
        super().__init__()
        self.rows = slice(index * size, (index + 1) * size)
        self.dropout = nn.Dropout(p)

    def forward(self, state):
        q, k, v, done = state
        a, b, c = q[..., self.rows], k[..., self.rows], v[..., self.rows]
        s = a @ b.transpose(1, 2) / a.shape[-1] ** 0.5
        i = torch.arange(s.shape[-1], device=s.device)
        w = self.dropout(s.masked_fill(i[None] > i[:, None], -torch.inf).softmax(-1))
        return q, k, v, (*done, w @ c)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.heads = nn.Sequential(*(_Head(i, d_out // num_heads, dropout) for i in range(num_heads)))

    def forward(self, x):
        *_, done = self.heads((self.W_query(x), self.W_key(x), self.W_value(x), ()))
        return self.out_proj(torch.cat(done, -1))
