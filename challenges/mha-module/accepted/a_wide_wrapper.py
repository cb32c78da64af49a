"""The wrapper without a loop: all heads' projections are one wide layer each. One class behind all three."""

import torch
from torch import nn


def side_by_side(layers):
    """One layer that gives what all of them give, one after the other."""
    if len(layers) == 1:
        return layers[0]
    wide = nn.Linear(layers[0].in_features, sum(layer.out_features for layer in layers), layers[0].bias is not None)
    with torch.no_grad():
        for name, parameter in wide.named_parameters():
            parameter.copy_(torch.cat([getattr(layer, name) for layer in layers]))
    return wide


class _Heads(nn.Module):
    """num_heads heads of head_dim features, side by side."""

    def __init__(self, d_in, head_dim, dropout, num_heads, qkv_bias, groups=1):
        super().__init__()
        self.num_heads = num_heads
        width = num_heads * head_dim // groups
        drawn = [[nn.Linear(d_in, width, bias=qkv_bias) for _ in range(3)] for _ in range(groups)]
        self.to_q, self.to_k, self.to_v = (side_by_side(layers) for layers in zip(*drawn, strict=True))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, n, _ = x.shape
        parts = torch.stack((self.to_q(x), self.to_k(x), self.to_v(x))).view(3, b, n, self.num_heads, -1)
        q, k, v = parts.permute(0, 3, 1, 2, 4)
        scores = torch.matmul(q, k.transpose(-2, -1)).div(q.shape[-1] ** 0.5)
        hidden = torch.ones_like(scores, dtype=torch.bool).triu(1)
        weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
        return (self.dropout(weights) @ v).permute(1, 2, 0, 3).flatten(2)


class CausalAttention(_Heads):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, dropout, 1, qkv_bias)


class MultiHeadAttentionWrapper(_Heads):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out, dropout, num_heads, qkv_bias, groups=num_heads)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.attention = _Heads(d_in, d_out // num_heads, dropout, num_heads, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        return self.out_proj(self.attention(x))
