"""Right: the wrapper stacks the weights of its heads and computes all of them at once; a single head is the case of one."""
import torch
import torch.nn.functional as F
from torch import nn


def heads_at_once(q, k, v, drop):
    """(batch, heads, tokens, width) three times -> the same."""
    n = q.size(2)
    bias = q.new_full((n, n), -torch.inf).triu(1)
    return drop((q @ k.transpose(2, 3) * q.size(3) ** -0.5 + bias).softmax(3)) @ v


def stacked(layers, x):
    """Every layer applied to x, side by side: (batch, heads, tokens, width)."""
    weight = torch.stack([layer.weight for layer in layers])
    y = x.unsqueeze(1) @ weight.transpose(1, 2)
    if layers[0].bias is not None:
        y = y + torch.stack([layer.bias for layer in layers]).unsqueeze(1)
    return y


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (stacked([layer], x) for layer in (self.W_query, self.W_key, self.W_value))
        return heads_at_once(q, k, v, self.dropout).squeeze(1)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = stacked([head.W_query for head in self.heads], x)
        k = stacked([head.W_key for head in self.heads], x)
        v = stacked([head.W_value for head in self.heads], x)
        return heads_at_once(q, k, v, self.dropout).transpose(1, 2).flatten(2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out has to be a multiple of num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (f(x).unflatten(2, (self.num_heads, -1)).transpose(1, 2) for f in (self.W_query, self.W_key, self.W_value))
        return self.out_proj(heads_at_once(q, k, v, self.dropout).transpose(1, 2).flatten(2))
