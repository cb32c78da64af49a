"""Computes the weights under no_grad, so that W_query and W_key never learn."""

import torch
from torch import Tensor, nn


@torch.jit.script
def causal_weights(q: Tensor, k: Tensor) -> Tensor:
    scores = torch.matmul(q, k.transpose(-2, -1)) / (q.size(-1) ** 0.5)
    hidden = torch.ones_like(scores).triu(1) > 0
    return torch.softmax(scores.masked_fill(hidden, -float("inf")), dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads has to divide d_out")
        self.num_heads = num_heads
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def to_heads(self, y: Tensor) -> Tensor:
        return y.reshape(y.size(0), y.size(1), self.num_heads, self.d_out // self.num_heads).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            weights = causal_weights(self.to_heads(self.W_query(x)), self.to_heads(self.W_key(x)))
        context = self.dropout(weights) @ self.to_heads(self.W_value(x))
        return self.out_proj(context.transpose(1, 2).reshape(x.size(0), x.size(1), self.d_out))
