"""Right: heads and batch share one axis, so that torch.bmm and torch.baddbmm can be used."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "heads must divide d_out"
        self.n, self.w = num_heads, d_out // num_heads
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def _fold(self, y):
        b, t, _ = y.shape
        return y.reshape(b, t, self.n, self.w).transpose(1, 2).reshape(b * self.n, t, self.w)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self._fold(self.W_q(x)), self._fold(self.W_k(x)), self._fold(self.W_v(x))
        causal = q.new_full((t, t), float("-inf")).triu(1)
        scores = torch.baddbmm(causal, q, k.transpose(1, 2), alpha=self.w**-0.5)
        weights = self.dropout(scores.softmax(2))
        out = torch.bmm(weights, v).reshape(b, self.n, t, self.w).transpose(1, 2).reshape(b, t, self.n * self.w)
        return self.proj(out)
