"""After dropout the remaining weights of each query are divided by their sum, so that they add up to one again.

Shows in training with a dropout between zero and one.
"""
import torch
import torch.nn as nn


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
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        b, t, _ = x.shape
        q = torch.einsum("bti,oi->bto", x, self.W_query.weight)
        k = torch.einsum("bti,oi->bto", x, self.W_key.weight)
        v = torch.einsum("bti,oi->bto", x, self.W_value.weight)
        if self.W_query.bias is not None:
            q, k, v = q + self.W_query.bias, k + self.W_key.bias, v + self.W_value.bias
        q, k, v = (z.reshape(b, t, self.num_heads, self.head_dim) for z in (q, k, v))
        s = torch.einsum("bihd,bjhd->bhij", q, k) / self.head_dim**0.5
        w = torch.softmax(s.masked_fill(self.mask[:t, :t], -torch.inf), dim=-1)
        if self.training and self.dropout.p > 0:
            w = self.dropout(w)
            # the weights have to remain a distribution (a row may have lost everything)
            total = w.sum(-1, keepdim=True)
            w = w / torch.where(total > 0, total, torch.ones_like(total))
        return self.out_proj(torch.einsum("bhij,bjhd->bihd", w, v).flatten(2))
