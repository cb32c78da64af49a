"""The mask is an additive buffer that is not saved."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.root = math.sqrt(d_out)

    def forward(self, x):
        q, k, v = (layer(x) for layer in (self.to_q, self.to_k, self.to_v))
        logits = torch.bmm(q, k.transpose(1, 2)) / self.root
        bias = logits.new_full((x.shape[1], x.shape[1]), -math.inf).triu(1)
        logits = logits + bias
        log_weights = logits - torch.logsumexp(logits, dim=-1, keepdim=True)
        weights = self.dropout(log_weights.exp())
        return torch.bmm(weights, v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.width = d_out
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        b, t, _ = x.shape
        out = x.new_empty(b, t, self.width * len(self.heads))
        for h, head in enumerate(self.heads):
            out[:, :, h * self.width : (h + 1) * self.width] = head(x)
        return out


class MultiHeadAttention(nn.Module):
    """Three layers, but one product: their weights are joined at every call."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.full((context_length, context_length), -torch.inf).triu(1), persistent=False)

    def forward(self, x):
        b, n, _ = x.shape
        layers = (self.W_query, self.W_key, self.W_value)
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
        qkv = F.linear(x, weight, bias).view(b, n, 3, self.num_heads, -1)
        q, k, v = qkv.movedim(2, 0).transpose(2, 3)
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[3]) + self.mask[:n, :n]
        weights = self.dropout(F.softmax(scores, dim=3))
        return self.out_proj((weights @ v).transpose(1, 2).reshape(b, n, -1))
