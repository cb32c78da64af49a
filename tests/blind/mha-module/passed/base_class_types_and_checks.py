"""A common base class, type hints, checks of things the spec rules out, extra arguments with defaults."""
from __future__ import annotations

import torch
from torch import Tensor, nn


class _Base(nn.Module):
    mask: Tensor

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool, n: int, *, device=None, dtype=None) -> None:
        super().__init__()
        for name, size in (("d_in", d_in), ("d_out", d_out), ("context_length", context_length), ("num_heads", n)):
            if size < 1:
                raise ValueError(f"{name} must be positive")
        if not 0.0 <= dropout <= 1.0:
            raise ValueError("dropout must be a probability")
        if d_out % n:
            raise ValueError("num_heads must divide d_out")
        kw = {"device": device, "dtype": dtype}
        self.context_length = context_length
        self.n = n
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias, **kw)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias, **kw)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias, **kw)
        self.dropout = nn.Dropout(p=dropout)

    def _heads(self, t: Tensor) -> Tensor:
        return t.reshape(*t.shape[:-1], self.n, -1).movedim(-2, 1)

    def _mix(self, x: Tensor) -> Tensor:
        if x.dim() != 3:
            raise ValueError("x must be (batch, tokens, d_in)")
        if x.size(1) > self.context_length:
            raise ValueError("sequence too long")
        q, k, v = (self._heads(layer(x)) for layer in (self.to_q, self.to_k, self.to_v))
        q = q / q.size(-1) ** 0.5
        scores = q @ k.transpose(-1, -2)
        hidden = torch.ones_like(scores, dtype=torch.bool).triu_(1)
        w = self.dropout(scores.masked_fill_(hidden, float("-inf")).softmax(-1))
        return (w @ v).movedim(1, -2).flatten(-2)


class CausalAttention(_Base):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False, **kw) -> None:
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias, 1, **kw)

    def forward(self, x: Tensor) -> Tensor:
        return self._mix(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(_Base):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False, **kw) -> None:
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias, num_heads, **kw)
        self.proj = nn.Linear(d_out, d_out)

    def forward(self, x: Tensor) -> Tensor:
        return self.proj(self._mix(x))
