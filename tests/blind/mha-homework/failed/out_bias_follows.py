"""out_proj gets a bias only when qkv_bias is True; it always has one."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.nh = num_heads
        linear = lambda i, o: nn.Linear(i, o, bias=qkv_bias)
        self.W_query = linear(d_in, d_out)
        self.W_key = linear(d_in, d_out)
        self.W_value = linear(d_in, d_out)
        self.out_proj = linear(d_out, d_out)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, x):
        B, N, _ = x.shape
        q = self.W_query(x).reshape(B, N, self.nh, -1).transpose(1, 2)
        k = self.W_key(x).reshape(B, N, self.nh, -1).transpose(1, 2)
        v = self.W_value(x).reshape(B, N, self.nh, -1).transpose(1, 2)
        attn = q @ k.transpose(-2, -1) * (q.shape[-1] ** -0.5)
        attn = attn + torch.triu(torch.full_like(attn, float("-inf")), diagonal=1)
        attn = self.attn_drop(attn.softmax(dim=-1))
        return self.out_proj((attn @ v).transpose(1, 2).reshape(B, N, -1))
