"""F.dropout is called without self.training, so it also drops after eval()."""
import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("heads")
        self.num_heads, self.drop = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        t = x.shape[1]
        q = self.W_query(x).unflatten(2, (self.num_heads, -1)).transpose(1, 2)
        k = self.W_key(x).unflatten(2, (self.num_heads, -1)).transpose(1, 2)
        v = self.W_value(x).unflatten(2, (self.num_heads, -1)).transpose(1, 2)
        mask = torch.triu(torch.ones(t, t, device=x.device, dtype=torch.bool), 1)
        w = F.softmax((q @ k.transpose(-1, -2) / q.size(-1) ** 0.5).masked_fill(mask, -torch.inf), dim=-1)
        w = F.dropout(w, self.drop)
        return self.out_proj((w @ v).transpose(1, 2).flatten(2))
