"""The fused kernel.
Rule: no-library-attention
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def attention(q, k, v, dropout, training):
    return F.scaled_dot_product_attention(q, k, v, dropout_p=dropout if training else 0.0, is_causal=True)



class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out has to be a multiple of num_heads")
        self.n_heads = num_heads
        self.head_dim = d_out // num_heads
        self.p = dropout
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.o_proj = nn.Linear(d_out, d_out)

    def split(self, t: Tensor) -> Tensor:
        b, n, _ = t.shape
        return t.reshape(b, n, self.n_heads, self.head_dim).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        b, n, _ = x.shape
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        out = attention(q, k, v, self.p, self.training)
        out = out.transpose(1, 2).reshape(b, n, self.n_heads * self.head_dim)
        return self.o_proj(out)
