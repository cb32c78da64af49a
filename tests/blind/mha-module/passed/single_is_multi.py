"""A right answer of the seventh corpus."""
import torch
from einops import rearrange
from torch import einsum, nn


def causal_attention(q, k, v, dropout):
    n, dtype = q.shape[-2], q.dtype
    sim = einsum("... i d, ... j d -> ... i j", q * q.shape[-1] ** -0.5, k)
    future = torch.ones((n, n), dtype=torch.bool, device=q.device).triu(1)
    sim = sim.masked_fill(future, -torch.finfo(dtype).max)
    return einsum("... i j, ... j d -> ... i d", dropout(sim.softmax(dim=-1)), v)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return causal_attention(self.to_q(x), self.to_k(x), self.to_v(x), self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        make = lambda: CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias)
        self.heads = nn.ModuleList([make() for _ in range(num_heads)])

    def forward(self, x):
        return rearrange([head(x) for head in self.heads], "h b n d -> b n (h d)")


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert (d_out % num_heads) == 0
        self.h = num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = map(lambda f: rearrange(f(x), "b n (h d) -> b h n d", h=self.h), (self.to_q, self.to_k, self.to_v))
        out = causal_attention(q, k, v, self.dropout)
        return self.out_proj(rearrange(out, "b h n d -> b n (h d)"))
