"""Asks once, in the constructor, whether it is in training: eval() comes too late."""
# expect: dropout stays on after eval
import torch
from einops import rearrange
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_drop = nn.Dropout(dropout)
        self.scale = d_out**-0.5

    def forward(self, x):
        n = x.shape[1]
        dots = self.to_q(x) @ rearrange(self.to_k(x), "b n d -> b d n") * self.scale
        dots = dots.masked_fill(torch.ones(n, n, device=x.device, dtype=torch.bool).triu(1), -torch.inf)
        return self.attn_drop(dots.softmax(dim=-1)) @ self.to_v(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return rearrange([head(x) for head in self.heads], "h b n d -> b n (h d)")


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("not divisible")
        self.heads = num_heads
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.p, self.drops = dropout, self.training
        self.scale = (d_out // num_heads) ** -0.5

    def forward(self, x):
        n = x.shape[1]
        q, k, v = rearrange(self.qkv(x), "b n (three h d) -> three b h n d", three=3, h=self.heads)
        dots = q @ k.mT * self.scale
        dots = dots.masked_fill(torch.ones(n, n, device=x.device, dtype=torch.bool).triu(1), -torch.inf)
        out = nn.functional.dropout(dots.softmax(dim=-1), self.p, self.drops) @ v
        return self.out_proj(rearrange(out, "b h n d -> b n (h d)"))
