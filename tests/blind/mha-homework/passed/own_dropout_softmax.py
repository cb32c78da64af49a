"""A right answer of the seventh corpus."""
import torch
from torch import nn


class Softmax(nn.Module):
    def forward(self, z):
        z = z - z.amax(-1, keepdim=True).detach()
        e = z.exp()
        return e / e.sum(-1, keepdim=True)


class Dropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        assert 0 <= p <= 1
        self.p = p

    def forward(self, w):
        if not self.training or self.p == 0:
            return w
        if self.p == 1:
            return w * 0
        keep = torch.empty_like(w).bernoulli_(1 - self.p)
        return w * keep / (1 - self.p)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.softmax = Softmax()
        self.dropout = Dropout(dropout)
        bias = torch.zeros(context_length, context_length)
        bias[torch.triu_indices(context_length, context_length, 1).unbind()] = float("-inf")
        self.register_buffer("bias", bias, persistent=False)

    def heads(self, y):
        return torch.stack(y.chunk(self.num_heads, dim=-1), dim=1)

    def forward(self, x):
        n = x.size(1)
        q, k, v = self.heads(self.W_query(x)), self.heads(self.W_key(x)), self.heads(self.W_value(x))
        s = torch.einsum("bhid,bhjd->bhij", q, k).div(q.size(-1) ** 0.5)
        w = self.dropout(self.softmax(s + self.bias[:n, :n]))
        o = torch.einsum("bhij,bhjd->bihd", w, v)
        return self.out_proj(o.flatten(2))
