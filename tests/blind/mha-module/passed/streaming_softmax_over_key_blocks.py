"""Streams over blocks of keys with a running maximum."""

import math

import torch
from torch import Tensor, nn


class CausalAttention(nn.Module):
    """exp of the shifted scores, future set to zero, then divided by the sum of what is left."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = (q @ k.transpose(1, 2)) / math.sqrt(k.shape[2])
        seen = torch.ones_like(scores).tril()
        top = scores.detach().masked_fill(seen == 0, -math.inf).amax(dim=2, keepdim=True)
        e = torch.exp((scores - top).masked_fill(seen == 0, -math.inf)) * seen
        w = self.dropout(e / e.sum(dim=2, keepdim=True))
        return w @ v


class MultiHeadAttentionWrapper(nn.Module):
    """Heads side by side, each d_out wide, no projection behind them."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        heads: list[nn.Module] = []
        for _ in range(num_heads):
            heads.append(
                CausalAttention(
                    d_in=d_in, d_out=d_out, context_length=context_length, dropout=dropout, qkv_bias=qkv_bias
                )
            )
        self.heads = nn.ModuleList(heads)

    def forward(self, x: Tensor) -> Tensor:
        results: list[Tensor] = [head(x) for head in self.heads]
        assert len({r.shape for r in results}) == 1, "all heads have the same shape"
        return torch.cat(results, dim=-1)


class MultiHeadAttention(nn.Module):
    """Streams over blocks of keys with a running maximum and a running sum."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False, block=2):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.block = block
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, n, _ = x.shape
        q = self.W_query(x).view(b, n, self.num_heads, -1).transpose(1, 2)
        k = self.W_key(x).view(b, n, self.num_heads, -1).transpose(1, 2)
        v = self.W_value(x).view(b, n, self.num_heads, -1).transpose(1, 2)
        q = q / q.shape[-1] ** 0.5
        pos = torch.arange(n, device=x.device)
        top = q.new_full((b, self.num_heads, n, 1), -torch.inf)
        total = torch.zeros_like(top)
        acc = torch.zeros_like(q)
        for j in range(0, n, self.block):
            s = q @ k[:, :, j : j + self.block].transpose(2, 3)
            s = s.masked_fill(pos[j : j + self.block] > pos[:, None], -torch.inf)
            new_top = torch.maximum(top, s.detach().amax(-1, keepdim=True))
            e = torch.exp(s - new_top)
            old = torch.exp(top - new_top)
            total = total * old + e.sum(-1, keepdim=True)
            # dropping e is dropping the weight: the total is made of the undropped ones
            acc = acc * old + self.dropout(e) @ v[:, :, j : j + self.block]
            top = new_top
        out = (acc / total).transpose(1, 2).reshape(b, n, -1)
        return self.out_proj(out)
