"""MultiHeadAttention reads its single layer as (q, k, v) of head 0, then of head 1, and so on, not as all queries, all keys, all values.

Shows in MultiHeadAttention for two heads or more.
"""

import torch
from torch import nn
from torch.nn.utils import skip_init


def make_qkv(d_in, d_out, bias):
    """A d_in -> 3 * d_out layer with the numbers that three separate layers would have got."""
    parts = [nn.Linear(d_in, d_out, bias=bias) for _ in ("query", "key", "value")]
    qkv = skip_init(nn.Linear, d_in, 3 * d_out, bias=bias)
    with torch.no_grad():
        qkv.weight.copy_(torch.cat([p.weight for p in parts]))
        if bias:
            qkv.bias.copy_(torch.cat([p.bias for p in parts]))
    return qkv


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.qkv_proj = make_qkv(d_in, d_out, qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.scale = d_out**-0.5
        self.context_length = context_length

    def forward(self, x):
        tokens = x.shape[1]
        assert tokens <= self.context_length
        q, k, v = self.qkv_proj(x).chunk(3, dim=-1)
        scores = torch.matmul(q * self.scale, k.mT)
        hidden = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(1)
        weights = torch.where(hidden, float("-inf"), scores).softmax(dim=-1)
        return torch.matmul(self.dropout(weights), v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return torch.stack([head(x) for head in self.heads], dim=-2).flatten(-2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out is not a multiple of num_heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.qkv_proj = make_qkv(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.scale = self.head_dim**-0.5
        self.context_length = context_length

    def forward(self, x):
        batch, tokens, _ = x.shape
        assert tokens <= self.context_length
        qkv = self.qkv_proj(x).reshape(batch, tokens, self.num_heads, 3, self.head_dim)
        q, k, v = qkv.permute(3, 0, 2, 1, 4)
        scores = torch.matmul(q * self.scale, k.mT)
        hidden = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(1)
        weights = torch.where(hidden, float("-inf"), scores).softmax(dim=-1)
        context = torch.matmul(self.dropout(weights), v)
        context = context.permute(0, 2, 1, 3).reshape(batch, tokens, -1)
        return self.out_proj(context)
