"""A class for each part, and a list of blocks; the caller's weights are put in their places for one call, so that gradients reach them."""

import math

import torch
from torch import nn
from torch.func import functional_call


class Norm(nn.Module):
    def __init__(self, d_model, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(d_model)), eps

    def forward(self, x):
        return x / torch.sqrt((x * x).mean(-1, keepdim=True) + self.eps) * self.weight


class Attention(nn.Module):
    def __init__(self, d_model, num_heads, max_seq_len, theta):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        frequencies = theta ** (-torch.arange(0, self.d_head, 2).double() / self.d_head)
        angles = torch.arange(max_seq_len).double()[:, None] * frequencies
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def rotate(self, x, positions):
        cos, sin = self.cos[positions].unsqueeze(-3).to(x.dtype), self.sin[positions].unsqueeze(-3).to(x.dtype)
        even, odd = x.unflatten(-1, (-1, 2)).unbind(-1)
        return torch.stack((cos * even - sin * odd, sin * even + cos * odd), -1).flatten(-2)

    def forward(self, x, positions):
        split = lambda y: y.unflatten(-1, (self.num_heads, self.d_head)).transpose(-2, -3)  # noqa: E731
        q, k, v = split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x))
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        scores = torch.einsum("...qd,...kd->...qk", q, k) / math.sqrt(self.d_head)
        seq = x.shape[-2]
        scores = scores + torch.full((seq, seq), -math.inf, dtype=x.dtype).triu(1)
        return self.o_proj((scores.softmax(-1) @ v).transpose(-2, -3).flatten(-2))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w1, self.w3 = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_model, d_ff, bias=False)
        self.w2 = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.w2(nn.functional.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, max_seq_len, theta, eps):
        super().__init__()
        self.attn_norm, self.ffn_norm = Norm(d_model, eps), Norm(d_model, eps)
        self.attn = Attention(d_model, num_heads, max_seq_len, theta)
        self.ffn = FeedForward(d_model, d_ff)

    def forward(self, x, positions):
        h = x + self.attn(self.attn_norm(x), positions)
        return h + self.ffn(self.ffn_norm(h))


class Model(nn.Module):
    def __init__(self, vocab_size, d_model, num_layers, num_heads, d_ff, max_seq_len, theta, eps):
        super().__init__()
        self.token_embeddings = nn.Embedding(vocab_size, d_model)
        sizes = d_model, num_heads, d_ff, max_seq_len, theta, eps
        self.layers = nn.ModuleList(Block(*sizes) for _ in range(num_layers))
        self.final_norm = Norm(d_model, eps)
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, token_ids):
        x, positions = self.token_embeddings(token_ids), torch.arange(token_ids.shape[-1])
        for block in self.layers:
            x = block(x, positions)
        return self.lm_head(self.final_norm(x))


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    vocab_size, d_model = weights["token_embeddings.weight"].shape
    d_ff = len(weights["layers.0.ffn.w1.weight"])
    model = Model(vocab_size, d_model, num_layers, num_heads, d_ff, max_seq_len, theta, eps)
    return functional_call(model, weights, (token_ids,))
