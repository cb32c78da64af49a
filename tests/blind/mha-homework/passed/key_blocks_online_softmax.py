"""Unusual: goes through the keys in blocks with a running maximum and a running sum, as fused kernels do."""
import torch
from torch import nn

BLOCK = 5


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, (d_out, num_heads)
        self.num_heads = num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        hidden = torch.ones((context_length, context_length), dtype=torch.bool).triu(1)
        self.register_buffer("hidden", hidden, persistent=False)

    def _heads(self, t):
        return t.unflatten(2, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = self._heads(self.to_q(x)), self._heads(self.to_k(x)), self._heads(self.to_v(x))
        n = x.shape[1]
        q = q / q.shape[-1] ** 0.5
        top = q.new_full((*q.shape[:3], 1), float("-inf"))
        total = torch.zeros_like(top)
        acc = torch.zeros_like(q)
        for a in range(0, n, BLOCK):
            e = min(a + BLOCK, n)
            s = (q @ k[:, :, a:e].transpose(-1, -2)).masked_fill(self.hidden[:n, a:e], float("-inf"))
            # the first block holds key 0, which every query sees: the maximum is finite from there on.
            # The result does not depend on it, so it needs no gradient.
            new_top = torch.maximum(top, s.detach().amax(-1, keepdim=True))
            shrink = torch.exp(top - new_top)
            e_s = torch.exp(s - new_top)
            total = total * shrink + e_s.sum(-1, keepdim=True)
            acc = acc * shrink + self.drop(e_s) @ v[:, :, a:e]
            top = new_top
        return self.proj((acc / total).transpose(1, 2).flatten(2))
