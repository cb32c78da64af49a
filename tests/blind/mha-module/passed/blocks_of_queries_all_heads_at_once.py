"""Three attention modules; the last one walks over blocks of queries, all heads at once, to save memory."""

import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_drop = nn.Dropout(dropout)
        allowed = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
        self.register_buffer("allowed", allowed, persistent=False)

    def forward(self, x):
        n = x.size(-2)
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        att = torch.bmm(q, k.mT) / math.sqrt(q.size(-1))
        att = att.masked_fill(~self.allowed[:n, :n], float("-inf")).softmax(-1)
        return torch.bmm(self.attn_drop(att), v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias))

    def forward(self, x):
        results = []
        for head in self.heads:
            results.append(head(x))
        return torch.cat(results, -1)


class MultiHeadAttention(nn.Module):
    BLOCK = 32

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("later", torch.triu(torch.ones(context_length, context_length, dtype=torch.bool), 1))

    def forward(self, x):
        n = x.size(1)
        q, k, v = (
            p(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        blocks = []
        for start in range(0, n, self.BLOCK):
            stop = min(start + self.BLOCK, n)
            scores = q[:, :, start:stop] @ k.mT / math.sqrt(q.size(-1))
            scores = scores.masked_fill(self.later[start:stop, :n], -torch.inf)
            blocks.append(self.dropout(scores.softmax(-1)) @ v)
        return self.out_proj(torch.cat(blocks, dim=2).transpose(1, 2).flatten(2))
