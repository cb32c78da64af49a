import math
import torch
from torch import nn


class RoPE(nn.Module):
    def __init__(self, theta, d_k, max_seq_len):
        super().__init__()
        angles = torch.outer(torch.arange(max_seq_len).float(), theta ** (-torch.arange(0, d_k, 2).float() / d_k))
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x, p):
        c, s = self.cos[p].to(x.dtype), self.sin[p].to(x.dtype)
        return torch.stack([x[..., ::2] * c - x[..., 1::2] * s, x[..., ::2] * s + x[..., 1::2] * c], -1).flatten(-2)


def attention(q, k, v, mask=None):
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf)
    return s.softmax(-1) @ v


class MHA(nn.Module):
    def __init__(self, d_model, num_heads, rope):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.rope = num_heads, rope

    def forward(self, x, p, wq, wk, wv, wo):
        q, k, v = ((x @ w.T).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2) for w in (wq, wk, wv))
        p = (torch.arange(x.shape[-2]) if p is None else p).unsqueeze(-2)
        return attention(self.rope(q, p), self.rope(k, p), v).transpose(-3, -2).flatten(-2) @ wo.T
