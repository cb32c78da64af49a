"""Hidden scores are set to zero before the softmax, so that later tokens keep a weight.

Shows for two tokens or more.
"""
import torch
import torch.nn as nn
import math


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttention, self).__init__()
        # d_out has to fit
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads has to be 0")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads

        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

        self.dropout = nn.Dropout(dropout)
        mask = torch.tril(torch.ones(context_length, context_length))
        self.register_buffer("mask", mask)

    def forward(self, x):
        batch = x.shape[0]
        tokens = x.shape[1]
        q = self.W_query(x).reshape(batch, tokens, self.num_heads, self.head_dim)
        k = self.W_key(x).reshape(batch, tokens, self.num_heads, self.head_dim)
        v = self.W_value(x).reshape(batch, tokens, self.num_heads, self.head_dim)
        q = q.permute(0, 2, 1, 3)
        k = k.permute(0, 2, 1, 3)
        v = v.permute(0, 2, 1, 3)
        scores = torch.matmul(q, k.permute(0, 1, 3, 2))
        scores = scores / math.sqrt(self.head_dim)
        # hide the future
        scores = scores * self.mask[:tokens, :tokens]
        weights = torch.softmax(scores, dim=-1)
        weights = self.dropout(weights)
        context = torch.matmul(weights, v)
        context = context.permute(0, 2, 1, 3).reshape(batch, tokens, self.d_out)
        return self.out_proj(context)
