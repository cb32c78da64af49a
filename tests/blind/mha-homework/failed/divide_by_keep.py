"""The hand-written dropout divides by 1 - p, which is 0/0 when dropout is 1."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.keep = 1.0 - dropout
        self.heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

    def drop(self, w):
        if self.training:
            return w * (torch.rand_like(w) < self.keep) / self.keep
        return w

    def forward(self, x):
        n = x.shape[-2]
        q, k, v = (m(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for m in (self.W_query, self.W_key, self.W_value))
        i = torch.arange(n, device=x.device)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(i > i[:, None], -torch.inf)
        return self.out_proj((self.drop(s.softmax(-1)) @ v).transpose(1, 2).flatten(2))
