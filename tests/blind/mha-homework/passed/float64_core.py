"""A right answer of the seventh corpus."""
import logging

import torch
from torch import nn

logger = logging.getLogger("attention")


class CausalMask(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("allowed", torch.tril(torch.ones(size, size, dtype=torch.bool)))

    def forward(self, scores):
        t = scores.shape[-1]
        return scores.masked_fill(self.allowed[:t, :t].logical_not(), float("-inf"))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert isinstance(num_heads, int) and num_heads > 0
        assert d_out % num_heads == 0, f"{num_heads=} does not divide {d_out=}"
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.causal = CausalMask(context_length)

    def forward(self, x):
        batch, tokens, _ = x.shape
        split = (batch, tokens, self.num_heads, self.head_dim)
        q, k, v = [f(x).double().reshape(split).swapaxes(1, 2) for f in (self.W_query, self.W_key, self.W_value)]
        scores = self.causal(q @ k.swapaxes(2, 3) / self.head_dim**0.5)
        logger.debug("scores %s", scores.shape)
        weights = self.dropout(torch.log_softmax(scores, -1).exp())
        merged = (weights @ v).swapaxes(1, 2).reshape(batch, tokens, self.num_heads * self.head_dim)
        return self.out_proj(merged.to(self.out_proj.weight.dtype))


if __name__ == "__main__":
    torch.manual_seed(123)
    layer = MultiHeadAttention(3, 2, 6, 0.0, 2)
    x = torch.rand(2, 6, 3)
    print(layer(x), layer(x).shape)
