"""One nn.Linear for queries, keys and values, named as in GPT-2; a boolean mask of what may be seen."""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.c_attn = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.c_proj = nn.Linear(d_out, d_out)
        self.attn_dropout = nn.Dropout(dropout)
        seen = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
        self.register_buffer("bias", seen.view(1, 1, context_length, context_length), persistent=False)

    def forward(self, x):
        batch, tokens, _ = x.size()
        q, k, v = self.c_attn(x).chunk(3, dim=2)
        q, k, v = (part.unflatten(2, (self.num_heads, -1)).transpose(1, 2) for part in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(~self.bias[:, :, :tokens, :tokens], float("-inf"))
        att = self.attn_dropout(torch.nn.functional.softmax(att, dim=-1))
        return self.c_proj((att @ v).transpose(1, 2).reshape(batch, tokens, -1))
