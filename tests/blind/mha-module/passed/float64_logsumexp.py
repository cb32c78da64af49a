"""A right answer of the seventh corpus."""
import numpy as np
import torch
from torch import nn

NEG_INF = float("-inf")


def weights_of(q, k):
    q, k = q.double(), k.double()
    scores = torch.tensordot(q, k, dims=0) if False else q @ k.transpose(-1, -2)
    scores = scores / np.sqrt(q.shape[-1])
    n = scores.shape[-1]
    scores = scores + torch.full((n, n), NEG_INF, dtype=scores.dtype, device=scores.device).triu(diagonal=1)
    return (scores - scores.logsumexp(-1, keepdim=True)).exp()


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        w = weights_of(self.W_query(x), self.W_key(x)).to(x.dtype)
        return self.dropout(w) @ self.W_value(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        heads = (CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads))
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        out = x.new_empty(*x.shape[:2], 0)
        for head in self.heads:
            out = torch.cat((out, head(x)), dim=-1)
        return out


class MultiHeadAttention(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        assert d_out % num_heads == 0
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.num_heads = num_heads

    def split(self, t):
        b, n, d = t.shape
        return t.reshape(b, n, self.num_heads, d // self.num_heads).permute(0, 2, 1, 3)

    def forward(self, x):
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        y = self.dropout(weights_of(q, k).to(x.dtype)) @ v
        return self.out_proj(y.permute(0, 2, 1, 3).flatten(2))
