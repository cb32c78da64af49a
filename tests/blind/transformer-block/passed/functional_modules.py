"""The block as modules without memory of their own: functional_call brings the caller's weights."""
import math

import torch
from torch import nn
from torch.func import functional_call


class Norm(nn.Module):
    def __init__(self, d, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(d))
        self.eps = eps

    def forward(self, x):
        return x / (x.pow(2).mean(-1, keepdim=True) + self.eps) ** 0.5 * self.weight


class Attn(nn.Module):
    def __init__(self, d, heads, theta):
        super().__init__()
        self.heads, self.theta = heads, theta
        for n in ("q_proj", "k_proj", "v_proj", "o_proj"):
            setattr(self, n, nn.Linear(d, d, bias=False))

    def turn(self, z, pos):
        d = z.shape[-1]
        a = pos[..., None].to(z.dtype) * torch.tensor([self.theta ** (-2 * i / d) for i in range(d // 2)], dtype=torch.float64).to(z.dtype)
        c, s = torch.cos(a), torch.sin(a)
        z0, z1 = z.unflatten(-1, (-1, 2)).unbind(-1)
        return torch.stack([c * z0 - s * z1, s * z0 + c * z1], -1).reshape(z.shape)

    def forward(self, x, pos):
        b, n, d = x.shape
        q, k, v = (f(x).view(b, n, self.heads, d // self.heads).transpose(1, 2) for f in (self.q_proj, self.k_proj, self.v_proj))
        q, k = self.turn(q, pos), self.turn(k, pos)
        w = (q @ k.transpose(2, 3)) / math.sqrt(q.shape[-1])
        w = w.masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf).softmax(-1)
        return self.o_proj((w @ v).transpose(1, 2).contiguous().view(b, n, d))


class FFN(nn.Module):
    def __init__(self, d, f):
        super().__init__()
        self.w1 = nn.Linear(d, f, bias=False)
        self.w2 = nn.Linear(f, d, bias=False)
        self.w3 = nn.Linear(d, f, bias=False)

    def forward(self, x):
        return self.w2(nn.functional.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, d, f, heads, theta, eps):
        super().__init__()
        self.attn_norm, self.ffn_norm = Norm(d, eps), Norm(d, eps)
        self.attn, self.ffn = Attn(d, heads, theta), FFN(d, f)

    def forward(self, x, pos):
        x = x + self.attn(self.attn_norm(x), pos)
        return x + self.ffn(self.ffn_norm(x))


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    *lead, n, d = x.shape
    pos = torch.arange(n) if token_positions is None else token_positions
    pos = pos.expand(*lead, n).reshape(-1, 1, n)
    with torch.device("meta"):
        block = Block(d, weights["ffn.w1.weight"].shape[0], num_heads, theta, eps)
    return functional_call(block, weights, (x.reshape(-1, n, d), pos)).reshape(x.shape)
