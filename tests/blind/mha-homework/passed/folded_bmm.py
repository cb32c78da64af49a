from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Config:
    d_in: int
    d_out: int
    context_length: int
    dropout: float
    num_heads: int
    qkv_bias: bool = False

    def __post_init__(self):
        if self.d_out % self.num_heads:
            raise ValueError(f"d_out={self.d_out} is not a multiple of num_heads={self.num_heads}")

    @property
    def head_dim(self):
        return self.d_out // self.num_heads


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.cfg = c = Config(d_in, d_out, context_length, dropout, num_heads, qkv_bias)
        self.q_proj = nn.Linear(c.d_in, c.d_out, bias=c.qkv_bias)
        self.k_proj = nn.Linear(c.d_in, c.d_out, bias=c.qkv_bias)
        self.v_proj = nn.Linear(c.d_in, c.d_out, bias=c.qkv_bias)
        self.out_proj = nn.Linear(c.d_out, c.d_out)
        self.dropout = nn.Dropout(c.dropout)
        self.register_buffer("visible", torch.ones(c.context_length, c.context_length, dtype=torch.bool).tril())

    def fold(self, t):
        """(batch, tokens, d_out) -> (batch * heads, tokens, head_dim)"""
        b, n, _ = t.shape
        t = t.reshape(b, n, self.cfg.num_heads, self.cfg.head_dim)
        return t.permute(0, 2, 1, 3).reshape(b * self.cfg.num_heads, n, self.cfg.head_dim)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.fold(self.q_proj(x)), self.fold(self.k_proj(x)), self.fold(self.v_proj(x))
        scores = torch.baddbmm(torch.zeros((), dtype=q.dtype, device=q.device), q, k.transpose(1, 2), alpha=self.cfg.head_dim**-0.5)
        scores = scores.masked_fill(self.visible[:n, :n].logical_not(), -torch.inf)
        out = torch.bmm(self.dropout(scores.softmax(-1)), v)
        out = out.reshape(b, self.cfg.num_heads, n, self.cfg.head_dim).permute(0, 2, 1, 3)
        return self.out_proj(out.flatten(2))
