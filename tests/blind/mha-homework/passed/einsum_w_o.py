"""Right: einsum with named axes, the layers are called W_q, W_k, W_v and W_o."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False):
        super().__init__()
        assert d_out % num_heads == 0
        self.heads = num_heads
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_in, d_out, bool(qkv_bias)) for _ in "qkv")
        self.W_o = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(p=dropout)
        bias = torch.full((1, 1, context_length, context_length), float("-inf")).triu(1)
        self.register_buffer("bias", bias)

    def forward(self, x):
        t, h = x.shape[-2], self.heads
        q, k, v = (f(x).reshape(*x.shape[:-1], h, -1) for f in (self.W_q, self.W_k, self.W_v))
        q = q / q.shape[-1] ** 0.5
        att = torch.einsum("bqhd,bkhd->bhqk", q, k) + self.bias[..., :t, :t]
        att = self.drop(F.softmax(att, dim=-1))
        return self.W_o(torch.einsum("bhqk,bkhd->bqhd", att, v).flatten(-2))
