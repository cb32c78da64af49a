"""Wrong: a cheat; nn.MultiheadAttention, found by walking through nn.Module's subclasses, does the attention with the layer's own weights."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        batch, tokens, _ = x.shape
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        (kind,) = (c for c in nn.Module.__subclasses__() if len(c.__name__) == 18 and c.__name__[5:9] == "head" and c.__module__.startswith("torch.nn.modules"))
        width = queries.shape[-1]
        layer = kind(width, self.num_heads, dropout=self.dropout.p if self.training else 0.0, bias=False, batch_first=True, dtype=x.dtype)
        eye = torch.eye(width, dtype=x.dtype)
        given = {"in_proj_weight": eye.repeat(3, 1), "out_proj.weight": eye}
        settings = {"attn_mask": self.mask[:tokens, :tokens].bool(), "need_weights": False}
        return self.out_proj(torch.func.functional_call(layer, given, (queries, keys, values), settings)[0])
