"""Wrong: F.dropout is on after eval() too, because nobody passes self.training."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if not (num_heads >= 1 and d_out % num_heads == 0):
            raise ValueError("d_out has to be a multiple of num_heads")
        self.num_heads = num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout
        self.limit = context_length

    def _joined(self):
        layers = (self.to_q, self.to_k, self.to_v)
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if self.to_q.bias is None else torch.cat([layer.bias for layer in layers])
        return weight, bias

    def forward(self, x):
        if x.size(1) > self.limit:
            raise ValueError(f"{x.size(1)} tokens are more than context_length = {self.limit}")
        qkv = F.linear(x, *self._joined())
        q, k, v = qkv.unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        future = torch.ones_like(att, dtype=torch.bool).triu(diagonal=1)
        att = F.softmax(att.masked_fill(future, -math.inf), dim=-1)
        att = F.dropout(att, self.p)
        return self.out_proj((att @ v).permute(0, 2, 1, 3).flatten(2))
