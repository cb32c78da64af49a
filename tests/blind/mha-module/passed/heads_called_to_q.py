# Right: x-transformers style names to_q, to_k, to_v, to_out and einops, with CRLF
import torch
from torch import nn, einsum
from einops import rearrange, repeat

def exists(v):
    return v is not None

def default(v, d):
    return v if exists(v) else d

class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False, scale=None):
        super().__init__()
        self.scale = default(scale, d_out ** -0.5)
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        n, device = x.shape[1], x.device
        q, k, v = self.to_q(x), self.to_k(x), self.to_v(x)
        sim = einsum('b i d, b j d -> b i j', q, k) * self.scale
        causal_mask = torch.ones((n, n), device=device, dtype=torch.bool).triu(1)
        sim = sim.masked_fill(causal_mask, -torch.finfo(sim.dtype).max)
        attn = self.dropout(sim.softmax(dim=-1))
        return einsum('b i j, b j d -> b i d', attn, v)

class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([])
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        return rearrange([head(x) for head in self.heads], 'h b n d -> b n (h d)')

class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0: raise ValueError('heads must divide the inner dimension')
        dim_head = d_out // num_heads
        self.heads = num_heads
        self.scale = dim_head ** -0.5
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_out = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        n, device = x.shape[1], x.device
        q, k, v = map(lambda t: rearrange(t, 'b n (h d) -> b h n d', h=self.heads), (self.to_q(x), self.to_k(x), self.to_v(x)))
        sim = einsum('b h i d, b h j d -> b h i j', q * self.scale, k)
        causal_mask = torch.ones((n, n), device=device, dtype=torch.bool).triu(1)
        sim = sim.masked_fill(causal_mask, -torch.finfo(sim.dtype).max)
        attn = self.dropout(sim.softmax(dim=-1))
        out = einsum('b h i j, b h j d -> b h i d', attn, v)
        return self.to_out(rearrange(out, 'b h n d -> b n (h d)'))
