"""Its own dropout divides by 1 - p, which is 0/0 when everything is dropped."""
# expect: dropout of one gives NaN
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False, num_kv_heads=None, causal=True):
        super().__init__()
        kv = num_kv_heads or num_heads
        if d_out % num_heads or num_heads % kv:
            raise ValueError("num_heads must divide d_out, and num_kv_heads must divide num_heads")
        self.h, self.kv, self.d = num_heads, kv, d_out // num_heads
        self.p, self.causal = float(dropout), causal
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, kv * self.d, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, kv * self.d, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

    def drop(self, w):
        if not self.training or self.p == 0:
            return w
        kept = torch.rand_like(w) >= self.p
        return w * kept / torch.tensor(1 - self.p, dtype=w.dtype, device=w.device)

    def forward(self, x, context=None):
        source = x if context is None else context
        q = self.W_query(x).unflatten(-1, (self.h, self.d)).transpose(-2, -3)
        k = self.W_key(source).unflatten(-1, (self.kv, self.d)).transpose(-2, -3)
        v = self.W_value(source).unflatten(-1, (self.kv, self.d)).transpose(-2, -3)
        if self.kv != self.h:
            k, v = (t.repeat_interleave(self.h // self.kv, dim=-3) for t in (k, v))
        s = q @ k.transpose(-1, -2) / self.d**0.5
        if self.causal:
            i, j = (torch.arange(n, device=x.device) for n in s.shape[-2:])
            s = s.masked_fill(j > i.unsqueeze(1), float("-inf"))
        y = self.drop(s.softmax(-1)) @ v
        return self.out_proj(y.transpose(-2, -3).flatten(-2))
