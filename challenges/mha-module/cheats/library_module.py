"""nn.MultiheadAttention inside, fed with the module's own weights; identities in place of its projections."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    heads = 1

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        library = nn.MultiheadAttention(d_out, self.heads, dropout, bias=False, batch_first=True)
        with torch.no_grad():
            library.in_proj_weight.copy_(torch.eye(d_out).repeat(3, 1))
            library.out_proj.weight.copy_(torch.eye(d_out))
        self.library = library.requires_grad_(False)

    def forward(self, x):
        later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        return self.library(self.W_query(x), self.W_key(x), self.W_value(x), attn_mask=later)[0]


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        assert d_out % num_heads == 0
        type(self).heads = num_heads
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        return self.out_proj(super().forward(x))
