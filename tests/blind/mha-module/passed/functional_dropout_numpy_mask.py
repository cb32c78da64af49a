"""F.dropout with training=self.training, a mask from numpy, the scale inside the queries, exp of log_softmax."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def lower(n):
    return torch.from_numpy(np.tril(np.ones((n, n), dtype=bool)))


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.p = dropout

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        q = q * q.shape[-1] ** -0.5
        s = q @ k.permute(0, 2, 1)
        s = torch.where(lower(x.shape[1]).to(s.device), s, -torch.inf)
        w = torch.log_softmax(s, dim=-1).exp()
        return F.dropout(w, self.p, training=self.training) @ v


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.stack([h(x) for h in self.heads], dim=2).flatten(2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise AssertionError
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_o = nn.Linear(d_out, d_out)
        self.p = dropout

    def forward(self, x):
        b, t = x.shape[:2]
        q, k, v = [f(x).view(b, t, self.num_heads, self.head_dim).permute(0, 2, 1, 3) for f in (self.W_q, self.W_k, self.W_v)]
        q = q * self.head_dim**-0.5
        s = q @ k.permute(0, 1, 3, 2)
        s = torch.where(lower(t).to(s.device), s, -torch.inf)
        w = torch.log_softmax(s, dim=-1).exp()
        y = F.dropout(w, self.p, training=self.training) @ v
        return self.W_o(y.permute(0, 2, 1, 3).contiguous().view(b, t, -1))
