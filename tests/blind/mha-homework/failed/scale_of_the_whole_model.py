"""Attention with the root of the number of output features.

Idea: The scores are divided by the root of d_out in place of head_dim.
Where: only when there is more than one head
Id: scale-by-d-model
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out={d_out} and num_heads={num_heads} do not go together")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        q = self.W_query(x).unflatten(-1, (self.num_heads, -1))
        k = self.W_key(x).unflatten(-1, (self.num_heads, -1))
        v = self.W_value(x).unflatten(-1, (self.num_heads, -1))
        energy = torch.einsum("nqhd,nkhd->nhqk", [q, k])
        seen = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
        energy = energy.masked_fill(seen.logical_not(), float("-inf"))
        attention = self.attn_drop(F.softmax(energy / math.sqrt(self.out_proj.in_features), dim=3))
        out = torch.einsum("nhql,nlhd->nqhd", [attention, v])
        return self.out_proj(out.flatten(2))
