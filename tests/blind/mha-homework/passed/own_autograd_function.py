"""Unusual: the causal softmax is an autograd function with a backward pass written by hand."""
import torch
from torch import nn


class CausalSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, hidden, scale):
        w = (scores * scale).masked_fill_(hidden, float("-inf"))
        w = torch.softmax(w, dim=-1)
        ctx.save_for_backward(w)
        ctx.scale = scale
        return w

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        gw = g * w
        return (gw - w * gw.sum(dim=-1, keepdim=True)) * ctx.scale, None, None


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError("num_heads does not divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def forward(self, x):
        def heads(t):
            return t.reshape(*t.shape[:2], self.num_heads, self.head_dim).movedim(2, 1)

        q, k, v = heads(self.W_query(x)), heads(self.W_key(x)), heads(self.W_value(x))
        n = x.shape[1]
        w = CausalSoftmax.apply(q @ k.movedim(-1, -2), self.mask[:n, :n], self.head_dim**-0.5)
        y = (self.dropout(w) @ v).movedim(1, 2)
        return self.out_proj(y.reshape(y.shape[0], n, -1))
