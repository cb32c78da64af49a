"""Wrong: the heads' features are interleaved, feature 0 of every head first."""
import torch
from torch import nn


class CausalAttention(nn.Module):
    """One head.

    >>> CausalAttention(3, 2, 4, 0.0)(torch.ones(1, 4, 3)).shape
    torch.Size([1, 4, 2])
    """

    before = after = staticmethod(lambda t: t)

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (self.before(w(x)) for w in (self.W_query, self.W_key, self.W_value))
        scores = torch.matmul(q * q.size(-1) ** -0.5, k.transpose(-1, -2))
        minus = torch.full(scores.shape[-2:], float("-inf"), dtype=scores.dtype, device=scores.device).triu(1)
        return self.after(self.dropout((scores + minus).softmax(-1)).matmul(v))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        while len(self.heads) < num_heads:
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        return torch.stack([h(x) for h in self.heads], dim=3).flatten(2)


class MultiHeadAttention(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        if d_out % num_heads:
            raise ValueError("d_out must be a multiple of num_heads")
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)

    def before(self, t):
        return t.view(*t.shape[:2], self.num_heads, -1).permute(0, 2, 1, 3)

    def after(self, t):
        return self.out_proj(t.permute(0, 2, 1, 3).flatten(-2))
