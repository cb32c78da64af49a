"""The heads as more sequences: (batch * heads, tokens, head_dim) and bmm; a mask of minus infinity that is added."""

import torch
from torch import nn


def attention(q, k, v, bias, dropout):
    scores = torch.baddbmm(bias.expand(q.size(0), -1, -1), q, k.transpose(1, 2), alpha=q.size(-1) ** -0.5)
    return torch.bmm(dropout(nn.functional.softmax(scores, dim=2)), v)


def future(context_length):
    return torch.full((context_length, context_length), float("-inf")).triu(1)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("bias", future(context_length))

    def forward(self, x):
        tokens = x.size(1)
        return attention(self.query(x), self.key(x), self.value(x), self.bias[:tokens, :tokens], self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        heads = []
        for _ in range(num_heads):
            heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        return torch.concat([h(x) for h in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.num_heads = num_heads
        self.query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.output = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("bias", future(context_length))

    def fold(self, x):
        batch, tokens, _ = x.shape
        split = x.reshape(batch, tokens, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        return split.reshape(batch * self.num_heads, tokens, self.head_dim)

    def unfold(self, x, batch):
        return x.reshape(batch, self.num_heads, -1, self.head_dim).permute(0, 2, 1, 3).flatten(2)

    def forward(self, x):
        batch, tokens, _ = x.shape
        q, k, v = self.fold(self.query(x)), self.fold(self.key(x)), self.fold(self.value(x))
        context = attention(q, k, v, self.bias[:tokens, :tokens], self.dropout)
        return self.output(self.unfold(context, batch))
