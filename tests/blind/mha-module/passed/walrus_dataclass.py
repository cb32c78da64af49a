"""A right answer of the seventh corpus."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True, slots=True)
class Config:
    d_in: int
    d_out: int
    context_length: int
    dropout: float
    num_heads: int = 1
    qkv_bias: bool = False

    def __post_init__(self):
        if rest := self.d_out % self.num_heads:
            raise ValueError(f"{rest} features are left over")

    def linear(self):
        return nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)


class _Core(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.cfg = cfg
        self.W_query, self.W_key, self.W_value = cfg.linear(), cfg.linear(), cfg.linear()
        if out := self._output(cfg):
            self.out_proj = out
        self.dropout = nn.Dropout(cfg.dropout)
        lower = torch.ones(cfg.context_length, cfg.context_length, dtype=torch.bool).tril_()
        self.register_buffer("lower", lower, persistent=False)

    def _output(self, cfg):
        return None

    def _context(self, x):
        b, t, _ = x.shape
        h = self.cfg.num_heads
        q = self.W_query(x).view(b, t, h, -1)
        k = self.W_key(x).view(b, t, h, -1)
        v = self.W_value(x).view(b, t, h, -1)
        w = torch.einsum("bihd,bjhd->bhij", q, k) / (d := q.shape[-1]) ** 0.5
        w = w.where(self.lower[:t, :t], w.new_tensor(-torch.inf)).softmax(-1)
        return torch.einsum("bhij,bjhd->bihd", self.dropout(w), v).reshape(b, t, h * d)


class CausalAttention(_Core):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(Config(d_in, d_out, context_length, dropout, 1, qkv_bias))

    def forward(self, x):
        return self._context(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads))

    def forward(self, x):
        return torch.stack([head(x) for head in self.heads], dim=-2).flatten(-2)


class MultiHeadAttention(_Core):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(Config(d_in, d_out, context_length, dropout, num_heads, qkv_bias))

    def _output(self, cfg):
        return nn.Linear(cfg.d_out, cfg.d_out)

    def forward(self, x):
        return self.out_proj(self._context(x))
