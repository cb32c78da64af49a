"""Unusual: the weights of the three layers are joined at each call, so that one product makes queries, keys and values."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False, *, device=None, dtype=None):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        kw = {"device": device, "dtype": dtype}
        self.h, self.d = num_heads, d_out // num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias, **kw)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias, **kw)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias, **kw)
        self.out_proj = nn.Linear(d_out, d_out, **kw)
        self.p = dropout
        pos = torch.arange(context_length, device=device)
        self.register_buffer("future", pos[None, :] > pos[:, None])

    def forward(self, x):
        layers = (self.q_proj, self.k_proj, self.v_proj)
        weight = torch.cat([m.weight for m in layers])
        bias = None if layers[0].bias is None else torch.cat([m.bias for m in layers])
        # (b, t, 3, h, d) -> (3, b, h, t, d)
        qkv = F.linear(x, weight, bias).unflatten(-1, (3, self.h, self.d)).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        t = x.size(-2)
        s = torch.matmul(q * (1 / math.sqrt(self.d)), k.mT)
        s = s.masked_fill(self.future[:t, :t], float("-inf"))
        a = F.dropout(F.softmax(s, dim=-1), self.p, self.training)
        return self.out_proj((a @ v).permute(0, 2, 1, 3).flatten(2))
