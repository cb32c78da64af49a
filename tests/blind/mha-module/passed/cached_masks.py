"""Keeps one mask for each device and length in a dictionary of its own."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out is not a multiple of num_heads"
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self._masks = {}

    def later(self, tokens, device):
        key = (device, tokens)
        if key not in self._masks:
            with torch.inference_mode(False):
                self._masks[key] = torch.ones(tokens, tokens, dtype=torch.bool, device=device).triu(1)
        return self._masks[key]

    def forward(self, x):
        batch, tokens, _ = x.shape
        q, k, v = (
            layer(x).reshape(batch, tokens, self.num_heads, -1).swapaxes(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = (q / q.shape[-1] ** 0.5) @ k.swapaxes(-1, -2)
        scores = scores.masked_fill_(self.later(tokens, x.device), -torch.inf)
        weights = self.dropout(scores.softmax(-1))
        return self.out_proj((weights @ v).swapaxes(1, 2).reshape(batch, tokens, -1))


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        num_tokens = x.shape[1]
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)
        return attn_weights @ values


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)
