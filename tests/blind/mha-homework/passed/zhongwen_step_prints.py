"""Right: a beginner's file with Chinese comments, the shape printed after every step behind a flag, and dead code."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import math

打印 = False


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.d_in = d_in
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        # 顺序很重要!!
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, n, d = x.shape
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)

        # 分头
        # q = q.view(b, self.num_heads, n, self.head_dim)   错的
        q = q.view(b, n, self.num_heads, self.head_dim)
        k = k.view(b, n, self.num_heads, self.head_dim)
        v = v.view(b, n, self.num_heads, self.head_dim)
        q = q.transpose(1, 2)
        k = k.transpose(1, 2)
        v = v.transpose(1, 2)
        if 打印:
            print("q", q.shape)

        # 打分
        s = q @ k.transpose(2, 3)
        s = s / math.sqrt(self.head_dim)

        # 遮住后面的
        m = self.mask.bool()[:n, :n]
        s = s.masked_fill(m, -torch.inf)

        w = torch.softmax(s, dim=-1)
        w = self.dropout(w)
        if 打印:
            print("w", w[0, 0])

        y = w @ v
        y = y.transpose(1, 2)
        y = y.contiguous().view(b, n, self.d_out)
        y = self.out_proj(y)
        return y
