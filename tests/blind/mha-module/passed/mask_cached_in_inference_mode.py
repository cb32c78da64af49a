"""The mask is made at the first call and kept; made under inference mode, autograd refuses it later.

Shows when a length is first seen under torch.inference_mode and then used in a call that needs gradients.

Its writer took that for wrong; the spec, which did not say it then, allows it.
"""

import torch
from torch import nn


def softmax(scores):
    """Stable softmax over the last axis; the maximum is a constant for the gradient."""
    top = scores.amax(dim=-1, keepdim=True).detach()
    e = torch.exp(scores - top)
    return e / e.sum(dim=-1, keepdim=True)


class _Masks:
    """Boolean masks (True: hidden) by number of tokens."""

    def __init__(self):
        self.made = {}

    def get(self, n, device):
        key = (n, str(device))
        if key not in self.made:
            self.made[key] = torch.ones(n, n, dtype=torch.bool, device=device).triu(1)
        return self.made[key]


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(p=dropout)
        self.masks = _Masks()
        self.root = d_out**0.5

    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        scores = q.matmul(k.transpose(-1, -2)).div(self.root)
        scores = scores.masked_fill(self.masks.get(x.size(1), x.device), float("-inf"))
        return self.drop(softmax(scores)).matmul(v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([h(x) for h in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(p=dropout)
        self.masks = _Masks()
        self.root = self.head_dim**0.5

    def forward(self, x):
        shape = (x.size(0), x.size(1), self.num_heads, self.head_dim)
        q = self.W_query(x).view(shape).transpose(1, 2)
        k = self.W_key(x).view(shape).transpose(1, 2)
        v = self.W_value(x).view(shape).transpose(1, 2)
        scores = q.matmul(k.transpose(-1, -2)).div(self.root)
        scores = scores.masked_fill(self.masks.get(x.size(1), x.device), float("-inf"))
        z = self.drop(softmax(scores)).matmul(v)
        return self.out_proj(z.transpose(1, 2).flatten(start_dim=2))
