"""Copies the weights into new layers, so no gradient reaches the weights that were passed in."""
import torch
from torch import nn


class MHA(nn.Module):
    def __init__(self, d_model, num_heads, in_w, out_w):
        super().__init__()
        assert d_model % num_heads == 0
        self.h = num_heads
        self.q = nn.Linear(d_model, d_model, bias=False, dtype=in_w.dtype)
        self.k = nn.Linear(d_model, d_model, bias=False, dtype=in_w.dtype)
        self.v = nn.Linear(d_model, d_model, bias=False, dtype=in_w.dtype)
        self.o = nn.Linear(d_model, d_model, bias=False, dtype=in_w.dtype)
        for layer, w in zip((self.q, self.k, self.v), in_w.chunk(3)):
            layer.weight = nn.Parameter(w)
        self.o.weight = nn.Parameter(out_w)

    def forward(self, q, k, v, mask):
        n, l, d = q.shape
        q, k, v = (t.reshape(n, -1, self.h, d // self.h).transpose(1, 2) for t in (self.q(q), self.k(k), self.v(v)))
        s = q @ k.transpose(-1, -2) / (d // self.h) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask, float("-inf"))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(n, l, d))


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    m = None if mask is None else mask.bool().unsqueeze(-3)
    return MHA(d_model, num_heads, in_proj_weight, out_proj_weight)(q, k, v, m)
