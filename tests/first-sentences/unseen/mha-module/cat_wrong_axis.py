# Says: `torch.cat(outs, dim=1)` puts the heads one after the other along the tokens, but they belong side by side in the features: use `dim=-1`.
# Line: 38
# Names: torch.cat, dim=1, dim=-1
# Kind: wrong idea
import math
import torch
from torch import nn


def causal(scores):
    n = scores.shape[-1]
    m = torch.triu(torch.ones(n, n, device=scores.device), diagonal=1).bool()
    return scores.masked_fill(m, -math.inf)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.scale = math.sqrt(d_out)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).transpose(1, 2) / self.scale
        weights = self.dropout(torch.softmax(causal(scores), dim=-1))
        return weights @ self.W_value(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])

    def forward(self, x):
        outs = [h(x) for h in self.heads]
        return torch.cat(outs, dim=1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.h, self.d = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, T = x.shape[:2]
        q = self.W_query(x).reshape(B, T, self.h, self.d).transpose(1, 2)
        k = self.W_key(x).reshape(B, T, self.h, self.d).transpose(1, 2)
        v = self.W_value(x).reshape(B, T, self.h, self.d).transpose(1, 2)
        w = self.dropout(torch.softmax(causal(q @ k.transpose(2, 3) / math.sqrt(self.d)), dim=-1))
        return self.out_proj((w @ v).transpose(1, 2).reshape(B, T, self.h * self.d))
