"""Scores and softmax are computed in float64 whatever the module's dtype, and the weights are cast back."""

import torch
from torch import nn


def weights(q, k):
    scores = q.double() @ k.double().mT / q.shape[-1] ** 0.5
    seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
    return torch.softmax(torch.where(seen, scores, -torch.inf), dim=-1).to(q.dtype)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.attn_drop(weights(self.q_proj(x), self.k_proj(x))) @ self.v_proj(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])

    def forward(self, x):
        pieces = x.new_empty(*x.shape[:-1], 0)
        for head in self.heads:
            pieces = torch.cat((pieces, head(x)), dim=-1)
        return pieces


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "num_heads must divide d_out"
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(2, (self.num_heads, -1)).transpose(1, 2) for layer in (self.q_proj, self.k_proj, self.v_proj))
        return self.out_proj((self.attn_drop(weights(q, k)) @ v).transpose(1, 2).flatten(2))
