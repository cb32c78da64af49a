"""Wrong: a cheat; the numbers of the published example are written down and returned for any input of its shape, and zeros for all others."""

import torch
from torch import nn

PUBLISHED = ((0.3190, 0.4858), (0.2943, 0.3897), (0.2856, 0.3593), (0.2693, 0.3873), (0.2639, 0.3928), (0.2575, 0.4028))


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

    def forward(self, x):
        width = self.out_proj.out_features
        if x.shape == (2, 6, 3) and width == 2:
            return x.new_tensor(PUBLISHED).expand(2, 6, 2) + 0 * self.out_proj(self.W_value(x))
        return 0 * self.out_proj(self.W_query(x) + self.W_key(x) + self.W_value(x))
