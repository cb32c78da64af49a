"""The heads of the wrapper share d_out, where each should be d_out wide."""

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be a multiple of num_heads")
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_o = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def qkv(self, x):
        layers = (self.W_q, self.W_k, self.W_v)
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if self.W_q.bias is None else torch.cat([layer.bias for layer in layers])
        return F.linear(x, weight, bias).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)

    def forward(self, x):
        q, k, v = self.qkv(x).unbind(0)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(diagonal=1)
        weights = self.dropout(F.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1))
        return self.W_o((weights @ v).transpose(1, 2).flatten(-2))


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.context_length = context_length
        self.W_q = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.W_k = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.W_v = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.dropout = nn.Dropout(p=dropout)

    def weights(self, x):
        scores = torch.baddbmm(self.hidden(x), self.W_q(x), self.W_k(x).mT, alpha=self.d_out**-0.5)
        return self.dropout(torch.softmax(scores, dim=-1))

    def hidden(self, x):
        tokens = x.shape[1]
        return torch.full((tokens, tokens), -torch.inf, dtype=x.dtype, device=x.device).triu(1)

    def forward(self, x):
        assert x.dim() == 3, "x must be (batch, tokens, d_in)"
        return torch.bmm(self.weights(x), self.W_v(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(
                d_in=d_in, d_out=d_out // num_heads, context_length=context_length, dropout=dropout, qkv_bias=qkv_bias
            )
            for _ in range(num_heads)
        )

    def forward(self, x):
        stacked = torch.stack([head(x) for head in self.heads], dim=2)
        return stacked.flatten(start_dim=2)
