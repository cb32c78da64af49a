"""A right answer of the seventh corpus."""
import torch
import torch.nn.functional as F
from torch import nn


class CausalMixin:
    _future: torch.Tensor | None = None

    def hide(self, s):
        n = s.shape[-1]
        if self._future is None or self._future.shape[0] < n or self._future.device != s.device:
            with torch.inference_mode(False):
                self._future = torch.triu(torch.ones(n, n, device=s.device), 1) > 0
        return s.masked_fill(self._future[:n, :n], float("-inf"))

    def weigh(self, q, k, v):
        s = self.hide(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5)
        return self.dropout(F.softmax(s, -1)) @ v


class CausalAttention(CausalMixin, nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.weigh(self.W_query(x), self.W_key(x), self.W_value(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        args = d_in, d_out, context_length, dropout, qkv_bias
        self.heads = nn.ModuleList([CausalAttention(*args) for _ in range(num_heads)])

    def forward(self, x):
        outputs = []
        for head in self.heads:
            outputs += [head(x)]
        return torch.cat(outputs, -1)


class MultiHeadAttention(CausalMixin, nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.d_out = d_out
        if self.head_dim * num_heads != d_out:
            raise ValueError("num_heads must divide d_out")
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    @property
    def head_dim(self):
        return self.d_out // self.num_heads

    def fold(self, t):
        return t.reshape(*t.shape[:-1], self.num_heads, self.head_dim).swapdims(-2, -3)

    def forward(self, x):
        y = self.weigh(self.fold(self.W_query(x)), self.fold(self.W_key(x)), self.fold(self.W_value(x)))
        return self.out_proj(y.swapdims(-2, -3).reshape(*x.shape[:-1], self.d_out))
