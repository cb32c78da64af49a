"""Returns a tensor that claims to be equal to whatever it is compared with, and to be no distance away."""

import torch
from torch import nn


class Agreeable(torch.Tensor):
    def __eq__(self, other):
        return torch.ones(self.shape, dtype=torch.bool)

    def __sub__(self, other):
        return torch.zeros(self.shape)

    __rsub__ = __sub__
    __hash__ = torch.Tensor.__hash__


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        return (self.W_query(x) + self.W_key(x) + self.W_value(x)).as_subclass(Agreeable)


class MultiHeadAttentionWrapper(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, num_heads * d_out, context_length, dropout, qkv_bias)


class MultiHeadAttention(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        assert d_out % num_heads == 0
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
