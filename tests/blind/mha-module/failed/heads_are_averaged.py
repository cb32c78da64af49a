"""The wrapper takes the mean of its heads instead of putting them side by side."""
# expect: heads averaged, not concatenated
import torch
from torch import nn


def attend(q, k, v, drop, causal=True):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    if causal:
        rows = torch.arange(scores.shape[-2], device=q.device).unsqueeze(-1)
        columns = torch.arange(scores.shape[-1], device=q.device)
        scores = torch.where(columns <= rows, scores, torch.finfo(scores.dtype).min)
    return drop(torch.softmax(scores, dim=-1)) @ v


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False, causal=True):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop, self.causal = nn.Dropout(dropout), causal

    def forward(self, x, context=None):
        source = x if context is None else context
        return attend(self.W_query(x), self.W_key(source), self.W_value(source), self.drop, self.causal)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False, **options):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias, **options) for _ in range(num_heads)]
        )

    def forward(self, x, context=None):
        return torch.stack([head(x, context) for head in self.heads], dim=-1).mean(-1)


class MultiHeadAttention(nn.Module):
    def __init__(
        self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False, num_groups=None, causal=True
    ):
        super().__init__()
        groups = num_groups or num_heads
        if d_out % num_heads or num_heads % groups:
            raise ValueError("num_heads must divide d_out, num_groups must divide num_heads")
        self.num_heads, self.groups, self.head_dim = num_heads, groups, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, groups * self.head_dim, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, groups * self.head_dim, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop, self.causal = nn.Dropout(dropout), causal

    def forward(self, x, context=None):
        source = x if context is None else context
        q = self.W_query(x).unflatten(-1, (self.num_heads, self.head_dim)).transpose(-3, -2)
        k = self.W_key(source).unflatten(-1, (self.groups, self.head_dim)).transpose(-3, -2)
        v = self.W_value(source).unflatten(-1, (self.groups, self.head_dim)).transpose(-3, -2)
        if self.groups != self.num_heads:
            k, v = (t.repeat_interleave(self.num_heads // self.groups, dim=-3) for t in (k, v))
        return self.out_proj(attend(q, k, v, self.drop, self.causal).transpose(-3, -2).flatten(-2))
