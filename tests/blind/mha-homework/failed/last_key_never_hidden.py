"""An off-by-one in the loop that fills the mask leaves its last column open: every token sees the last key.

Shows only for sequences of exactly context_length tokens (two or more).
"""
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttention, self).__init__()
        remainder = d_out % num_heads
        assert remainder == 0
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        last = context_length - 1
        mask = torch.zeros(context_length, context_length, dtype=torch.bool)
        for i in range(context_length):
            for j in range(i + 1, last):
                mask[i, j] = True
        self.register_buffer("mask", mask)

    def forward(self, x):
        batch, tokens, _ = x.shape
        q = self.W_query(x).view(batch, tokens, self.num_heads, self.head_dim)
        k = self.W_key(x).view(batch, tokens, self.num_heads, self.head_dim)
        v = self.W_value(x).view(batch, tokens, self.num_heads, self.head_dim)
        q = q.permute(0, 2, 1, 3)
        k = k.permute(0, 2, 1, 3)
        v = v.permute(0, 2, 1, 3)
        scores = torch.matmul(q, k.permute(0, 1, 3, 2)) / self.head_dim**0.5
        scores = scores.masked_fill(self.mask[:tokens, :tokens], -torch.inf)
        weights = self.dropout(torch.softmax(scores, dim=3))
        context = torch.matmul(weights, v).permute(0, 2, 1, 3).contiguous()
        return self.out_proj(context.view(batch, tokens, -1))
