"""Drops scores before the softmax, where a zero is a score like any other."""
# expect: dropout before the softmax
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.H, self.a = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        t = torch.arange(context_length)
        self.register_buffer("future", t[None, :] > t[:, None], persistent=False)

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (W(x).unflatten(2, (self.H, self.a)) for W in (self.W_query, self.W_key, self.W_value))
        S = torch.einsum("biha,bjha->bhij", q, k) / self.a**0.5
        P = torch.softmax(self.dropout(S).masked_fill(self.future[:n, :n], -torch.inf), dim=-1)
        return self.out_proj(torch.einsum("bhij,bjha->biha", P, v).flatten(2))
