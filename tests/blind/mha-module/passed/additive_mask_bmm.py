"""A right answer of the seventh corpus."""
import torch
from torch import nn


def subsequent_mask(size):
    """Mask out subsequent positions (The Annotated Transformer)."""
    return torch.triu(torch.ones(1, size, size), diagonal=1).type(torch.uint8) == 0


def attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.bmm(query, key.transpose(-2, -1)) / d_k**0.5
    if mask is not None:
        scores = scores + torch.zeros_like(mask, dtype=scores.dtype).masked_fill_(~mask, -1e9)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.bmm(p_attn, value), p_attn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(p=dropout)

    def forward(self, x):
        mask = subsequent_mask(x.size(1)).to(x.device)
        return attention(self.W_q(x), self.W_k(x), self.W_v(x), mask, self.drop)[0]


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for i in range(num_heads)]
        )
        self.attn = None

    def forward(self, x):
        return torch.cat(tuple(h(x) for h in self.heads), dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        # We assume d_v always equals d_k
        self.d_k = d_out // num_heads
        self.h = num_heads
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_o = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, x):
        n, t, _ = x.shape
        query, key, value = [
            lin(x).view(n, t, self.h, self.d_k).transpose(1, 2).reshape(n * self.h, t, self.d_k)
            for lin in (self.W_q, self.W_k, self.W_v)
        ]
        out, _ = attention(query, key, value, subsequent_mask(t).to(x.device), self.dropout)
        out = out.view(n, self.h, t, self.d_k).transpose(1, 2).contiguous().view(n, t, self.h * self.d_k)
        return self.W_o(out)
