"""Multi-head attention by the library under another name.

Idea: The library's scaled_dot_product_attention does the work.
Where: everywhere the rule counts: values are right
Rule: no-library-attention
"""

import torch
from torch import nn
from torch.nn.functional import linear
from torch.nn.functional import scaled_dot_product_attention as core


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False, *, verbose=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise AssertionError("num_heads must divide d_out")
        self.context_length, self.num_heads, self.verbose = context_length, num_heads, verbose
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(1, 1, context_length, context_length)))

    def forward(self, x):
        b, t, _ = x.shape
        assert t <= self.context_length
        layers = [self.W_query, self.W_key, self.W_value]
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
        qkv = linear(x, weight, bias).reshape(b, t, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        y = core(q, k, v, is_causal=True, dropout_p=self.dropout.p if self.training else 0.0)
        return self.out_proj(y.transpose(1, 2).reshape(b, t, -1))
