"""(d h) where (h d) is meant, in the merge alone.
Diagnosis: head-order
"""

import torch
from torch import nn, einsum
from einops import rearrange


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f'{d_out=} is not divisible by {num_heads=}')
        self.heads = num_heads
        self.scale = (d_out // num_heads) ** -0.5
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_out = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (rearrange(f(x), 'b n (h d) -> b h n d', h=self.heads) for f in (self.to_q, self.to_k, self.to_v))
        sim = einsum('b h i d, b h j d -> b h i j', q, k) * self.scale
        causal = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        sim = sim.masked_fill(causal, -torch.finfo(sim.dtype).max)
        attn = self.drop(sim.softmax(dim=-1))
        out = einsum('b h i j, b h j d -> b h i d', attn, v)
        return self.to_out(rearrange(out, 'b h n d -> b n (d h)'))
