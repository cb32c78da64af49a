# Says: `forward` has no `self`: write `def forward(self, x):`, otherwise the module itself lands in `x`.
# Line: 21
# Names: forward, self
# Kind: crash
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer('mask', torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def forward(x):
        b, t, _ = x.shape
        q = self.W_query(x).reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).reshape(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        a = q @ k.transpose(2, 3) / self.head_dim ** 0.5
        a = a.masked_fill(self.mask[:t, :t], float('-inf'))
        a = self.drop(torch.softmax(a, dim=-1))
        return self.out_proj((a @ v).transpose(1, 2).reshape(b, t, self.d_out))
