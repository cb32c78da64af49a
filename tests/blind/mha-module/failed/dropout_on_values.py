"""Wrong: dropout acts on the values, not on the weights."""
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore")


def causal(q, k, v, drop):
    assert q.shape == k.shape == v.shape, f"{q.shape} {k.shape} {v.shape}"
    q64, k64, v64 = q.double(), k.double(), v.double()
    scores = torch.tensordot(q64, k64, dims=([], [])) if False else q64 @ k64.transpose(-1, -2)
    scores = scores * (1 / torch.sqrt(torch.tensor(float(q.shape[-1]), dtype=torch.float64)))
    tril = torch.tril(torch.ones_like(scores))
    scores = scores.masked_fill(tril == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    del scores, tril
    return (weights @ drop(v64)).to(q.dtype)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length

    def forward(self, x):
        assert x.ndim == 3 and x.shape[1] <= self.context_length, f"cannot take {tuple(x.shape)}"
        return causal(self.W_query(x), self.W_key(x), self.W_value(x), self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])

    def forward(self, x):
        return torch.hstack([head(x).movedim(-1, 1) for head in self.heads]).movedim(1, -1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, f"{num_heads} heads cannot share {d_out} features equally"
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.num_heads = num_heads

    def forward(self, x):
        split = lambda t: torch.stack(t.chunk(self.num_heads, -1), 1)
        z = causal(split(self.W_query(x)), split(self.W_key(x)), split(self.W_value(x)), self.dropout)
        return self.out_proj(torch.cat(z.unbind(1), -1))
