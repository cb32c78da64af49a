"""Wrong: the wrapper gives its heads a dropout of zero."""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor, nn

Tokens: TypeAlias = Tensor
Heads: TypeAlias = Tensor


@dataclass(frozen=True, slots=True)
class Settings:
    d_in: int
    d_out: int
    context_length: int
    dropout: float
    qkv_bias: bool


class QKV(NamedTuple):
    q: Tensor
    k: Tensor
    v: Tensor

    def each(self, f) -> QKV:
        return QKV(*map(f, self))


class Projects:
    def make_layers(self, s: Settings) -> None:
        self.W_query = nn.Linear(s.d_in, s.d_out, bias=s.qkv_bias)
        self.W_key = nn.Linear(s.d_in, s.d_out, bias=s.qkv_bias)
        self.W_value = nn.Linear(s.d_in, s.d_out, bias=s.qkv_bias)

    def project(self, x: Tokens) -> QKV:
        return QKV(self.W_query(x), self.W_key(x), self.W_value(x))


class Attends:
    dropout: nn.Dropout

    def attend(self, qkv: QKV) -> Tensor:
        q, k, v = qkv
        weights = torch.addcmul(q.new_zeros(()), q @ k.transpose(-1, -2), q.new_tensor(q.size(-1)).rsqrt())
        row, column = torch.triu_indices(q.size(-2), q.size(-2), offset=1, device=q.device)
        hidden = torch.zeros(q.size(-2), q.size(-2), dtype=torch.bool, device=q.device)
        hidden[row, column] = True
        return self.dropout(weights.masked_fill(hidden, -torch.inf).softmax(-1)) @ v


class CausalAttention(Projects, Attends, nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        nn.Module.__init__(self)
        self.make_layers(Settings(d_in, d_out, context_length, dropout, qkv_bias))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tokens) -> Tensor:
        return self.attend(self.project(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.width = d_out
        heads = [CausalAttention(d_in, d_out, context_length, 0.0, qkv_bias) for _ in range(num_heads)]
        self.heads = nn.ModuleList(heads)

    def __len__(self) -> int:
        return len(self.heads)

    def forward(self, x: Tokens) -> Tensor:
        parts = torch.stack([head(x) for head in self.heads], dim=-2)
        return parts.reshape(*parts.shape[:-2], len(self) * self.width)


class MultiHeadAttention(Projects, Attends, nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        nn.Module.__init__(self)
        if d_out % num_heads:
            raise ValueError(f"d_out = {d_out} cannot be divided among {num_heads} heads")
        self.make_layers(Settings(d_in, d_out, context_length, dropout, qkv_bias))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.num_heads = num_heads

    def split(self, t: Tokens) -> Heads:
        return t.unflatten(2, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x: Tokens) -> Tensor:
        heads = self.attend(self.project(x).each(self.split))
        return self.out_proj(heads.transpose(1, 2).flatten(2))
