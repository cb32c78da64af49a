# Says: `self.dropout(attn_scores)` drops scores before the softmax, but dropout belongs on the weights, after `torch.softmax`.
# Line: 28
# Names: dropout, softmax
# Kind: wrong idea
import torch
import torch.nn as nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert (d_out % num_heads == 0), "d_out must be divisible by num_heads"
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, n, _ = x.shape
        q = self.W_query(x).reshape(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).reshape(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).reshape(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        attn_scores = q @ k.transpose(2, 3) / self.head_dim ** 0.5
        attn_scores = self.dropout(attn_scores)
        attn_scores = attn_scores.masked_fill(self.mask.bool()[:n, :n], -torch.inf)
        attn_weights = torch.softmax(attn_scores, dim=-1)
        context = (attn_weights @ v).transpose(1, 2).reshape(b, n, self.d_out)
        context = self.out_proj(context)
        return context
