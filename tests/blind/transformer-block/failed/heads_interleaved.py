"""Wrong: head h owns features h, h + num_heads, ... instead of a slice in a row (the reshape in Attention.forward is (d_head, heads), and so is the merge)."""
import torch
from torch import nn
from torch.func import functional_call


class Matrix(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows, columns, device="meta"))

    def forward(self, x):
        return x @ self.weight.transpose(0, 1)


class RMSNorm(nn.Module):
    def __init__(self, d_model, eps):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.empty(d_model, device="meta"))

    def forward(self, x):
        return self.weight * (x / (x.pow(2).mean(-1, keepdim=True) + self.eps).sqrt())


class Attention(nn.Module):
    def __init__(self, d_model, num_heads, theta):
        super().__init__()
        self.heads, self.width, self.theta = num_heads, d_model // num_heads, theta
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            setattr(self, name, Matrix(d_model, d_model))

    def rotate(self, x, positions):
        half = torch.arange(self.width // 2, dtype=torch.float64)
        angle = positions.double()[..., None, None] / self.theta ** (2 * half / self.width)
        cos = angle.cos().repeat_interleave(2, -1).to(x.dtype)
        sin = angle.sin().repeat_interleave(2, -1).to(x.dtype)
        turned = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
        return x * cos + turned * sin

    def forward(self, x, positions):
        q, k, v = (m(x).reshape(*x.shape[:-1], self.width, self.heads).mT for m in (self.q_proj, self.k_proj, self.v_proj))
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        scores = torch.einsum("...qhd,...khd->...hqk", q, k) / self.width**0.5
        n = x.shape[-2]
        scores = scores + torch.full((n, n), float("-inf"), dtype=x.dtype).triu(diagonal=1)
        out = torch.einsum("...hqk,...khd->...qhd", torch.softmax(scores, -1), v)
        return self.o_proj(out.mT.reshape(x.shape))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w1, self.w2, self.w3 = Matrix(d_ff, d_model), Matrix(d_model, d_ff), Matrix(d_ff, d_model)

    def forward(self, x):
        return self.w2(nn.functional.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, d_model, d_ff, num_heads, theta, eps):
        super().__init__()
        self.attn_norm, self.ffn_norm = RMSNorm(d_model, eps), RMSNorm(d_model, eps)
        self.attn, self.ffn = Attention(d_model, num_heads, theta), FeedForward(d_model, d_ff)

    def forward(self, x, positions):
        x = x + self.attn(self.attn_norm(x), positions)
        return x + self.ffn(self.ffn_norm(x))


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    if token_positions is None:
        token_positions = torch.arange(x.shape[-2])
    d_ff = weights["ffn.w1.weight"].shape[0]
    block = Block(x.shape[-1], d_ff, num_heads, theta, eps)
    return functional_call(block, dict(weights), (x, token_positions))
