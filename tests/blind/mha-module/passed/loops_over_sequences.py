"""Goes through the sequences of the batch one by one, each with all heads at once."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def sequence(self, x):
        tokens = x.shape[0]
        q = self.W_query(x).reshape(tokens, self.num_heads, self.head_dim).permute(1, 0, 2)
        k = self.W_key(x).reshape(tokens, self.num_heads, self.head_dim).permute(1, 2, 0)
        v = self.W_value(x).reshape(tokens, self.num_heads, self.head_dim).permute(1, 0, 2)
        scores = torch.bmm(q, k) / self.head_dim**0.5
        scores = scores + torch.full((tokens, tokens), float("-inf"), dtype=x.dtype, device=x.device).triu(1)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.out_proj(torch.bmm(weights, v).permute(1, 0, 2).reshape(tokens, -1))

    def forward(self, x):
        return torch.stack([self.sequence(sequence) for sequence in x])


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
                d_in=d_in, d_out=d_out, context_length=context_length, dropout=dropout, qkv_bias=qkv_bias
            )
            for _ in range(num_heads)
        )

    def forward(self, x):
        stacked = torch.stack([head(x) for head in self.heads], dim=2)
        return stacked.flatten(start_dim=2)
