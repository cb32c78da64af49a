"""A right answer of the seventh corpus."""
import math

import torch
from torch import nn, Tensor


class KVCache:
    def __init__(self):
        self.k = self.v = None

    def update(self, k: Tensor, v: Tensor):
        if self.k is not None:
            k, v = torch.cat((self.k, k), 2), torch.cat((self.v, v), 2)
        self.k, self.v = k, v
        return k, v


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False, *, use_cache=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads != 0")
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(p=dropout)
        self.num_heads = num_heads
        self.cache = KVCache() if use_cache else None
        self.flash = False  # needs a library kernel, not allowed here

    def forward(self, x: Tensor, cache: KVCache | None = None) -> Tensor:
        B, T, _ = x.shape

        def heads(t: Tensor) -> Tensor:
            return t.view(B, T, self.num_heads, t.shape[-1] // self.num_heads).transpose(1, 2)

        q, k, v = heads(self.W_query(x)), heads(self.W_key(x)), heads(self.W_value(x))
        if (store := cache or self.cache) is not None:
            k, v = store.update(k, v)
        past = k.size(2) - T
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        ok = torch.ones(T, k.size(2), dtype=torch.bool, device=x.device).tril(past)
        att = att.masked_fill(~ok, float("-inf"))
        att = nn.functional.softmax(att, dim=-1)
        att = self.dropout(att)
        y = (att @ v).transpose(1, 2).contiguous().view(B, T, -1)
        return self.out_proj(y)
