import torch
from torch import nn


class Dropout(nn.Module):
    """Zeroes a fraction p and scales the rest by 1 / (1 - p); in evaluation it does nothing."""

    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, w):
        if not self.training or self.p == 0:
            return w
        if self.p >= 1:
            return w * 0.0
        keep = torch.rand_like(w) >= self.p
        return w * keep / (1 - self.p)


def softmax(s):
    e = torch.exp(s - s.detach().amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = Dropout(dropout)
        self.scale = 1.0 / d_out**0.5

    def forward(self, x):
        q, k, v = self.W_query(x) * self.scale, self.W_key(x), self.W_value(x)
        n = x.size(1)
        index = torch.arange(n, device=x.device)
        s = torch.where(index.unsqueeze(1) < index.unsqueeze(0), float("-inf"), torch.einsum("bie,bje->bij", q, k))
        return torch.einsum("bij,bje->bie", self.dropout(softmax(s)), v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])

    def forward(self, x):
        return torch.stack([head(x) for head in self.heads], dim=2).flatten(2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False, *, verbose=False):
        super().__init__()
        head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise AssertionError("num_heads does not divide d_out")
        self.shape = (num_heads, head_dim)
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = Dropout(dropout)
        self.context_length = context_length
        self.verbose = verbose

    def forward(self, x):
        assert x.size(1) <= self.context_length
        q = self.W_query(x).unflatten(-1, self.shape).movedim(1, 2)
        k = self.W_key(x).unflatten(-1, self.shape).movedim(1, 2)
        v = self.W_value(x).unflatten(-1, self.shape).movedim(1, 2)
        s = q.matmul(k.mT) * self.shape[1] ** -0.5
        n = x.size(1)
        s = s + torch.full((n, n), -torch.inf, dtype=s.dtype, device=s.device).triu(1)
        w = self.dropout(softmax(s))
        if self.verbose:
            print("weights", tuple(w.shape))
        return self.out_proj(w.matmul(v).movedim(1, 2).flatten(2))
