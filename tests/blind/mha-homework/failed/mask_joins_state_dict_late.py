"""The mask is registered as a buffer only at the first call, so that a used module has one more entry in its state_dict than a new one.

Shows when the state_dict of a module that was called is loaded into a new one.
"""
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.context_length = context_length
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def hidden(self, n, device):
        if not hasattr(self, "mask"):
            with torch.inference_mode(False):
                m = torch.ones(self.context_length, self.context_length, dtype=torch.bool, device=device)
                self.register_buffer("mask", m.triu(1))
        return self.mask[:n, :n]

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        s = q @ k.transpose(2, 3) / self.head_dim**0.5
        w = self.dropout(s.masked_fill(self.hidden(t, x.device), -torch.inf).softmax(dim=-1))
        return self.out_proj((w @ v).transpose(1, 2).reshape(b, t, -1))
