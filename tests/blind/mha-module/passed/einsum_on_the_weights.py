"""einsum contracts x with weights reshaped to (heads, head_dim, d_in); biases are added by broadcasting."""

import torch
from torch import einsum, nn


def hide_later(scores):
    tokens = scores.shape[-1]
    later = torch.ones(tokens, tokens, dtype=torch.bool, device=scores.device).triu(1)
    return scores.masked_fill(later, -torch.inf)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        scores = einsum("bqd,bkd->bqk", self.W_query(x), self.W_key(x)) / self.W_key.out_features**0.5
        return einsum("bqk,bkd->bqd", self.dropout(hide_later(scores).softmax(-1)), self.W_value(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def heads_of(self, layer, x):
        projected = einsum("bti,hdi->bhtd", x, layer.weight.unflatten(0, (self.num_heads, -1)))
        return projected if layer.bias is None else projected + layer.bias.unflatten(0, (self.num_heads, 1, -1))

    def forward(self, x):
        q, k, v = (self.heads_of(layer, x) for layer in (self.W_query, self.W_key, self.W_value))
        weights = self.dropout(hide_later(einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5).softmax(-1))
        out = einsum("bhqk,bhkd,ohd->bqo", weights, v, self.out_proj.weight.unflatten(1, (self.num_heads, -1)))
        return out + self.out_proj.bias
