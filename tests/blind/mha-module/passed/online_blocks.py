"""A right answer of the seventh corpus."""
import torch
from torch import nn


def flash(q, k, v, dropout, size=3):
    """Keys in blocks. Dropout scales single weights, so it commutes with dividing a row by its sum."""
    t = q.shape[-2]
    q = q / q.shape[-1] ** 0.5
    rows = torch.arange(t, device=q.device)[:, None]
    top = q.new_full((*q.shape[:-1], 1), -1e30)
    total = torch.zeros_like(top)
    acc = torch.zeros_like(v)
    for start in range(0, t, size):
        cols = torch.arange(start, min(start + size, t), device=q.device)
        s = (q @ k[..., start : start + size, :].mT).masked_fill(cols > rows, -1e30)
        new_top = torch.maximum(top, s.amax(-1, keepdim=True).detach())
        e = torch.exp(s - new_top)
        shrink = torch.exp(top - new_top)
        total = total * shrink + e.sum(-1, keepdim=True)
        acc = acc * shrink + dropout(e) @ v[..., start : start + size, :]
        top = new_top
    return acc / total


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return flash(self.W_query(x), self.W_key(x), self.W_value(x), self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be a multiple of num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (f(x).view(b, t, self.num_heads, -1).transpose(1, 2) for f in (self.W_query, self.W_key, self.W_value))
        return self.out_proj(flash(q, k, v, self.dropout).transpose(1, 2).reshape(b, t, -1))
