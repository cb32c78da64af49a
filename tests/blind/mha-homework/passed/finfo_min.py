"""Multi-head attention with the smallest finite number for what is hidden."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Every token sees itself, so no row is hidden as a whole and the smallest number does for minus infinity."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        head_dim, rest = divmod(d_out, num_heads)
        if rest != 0:
            raise ValueError("d_out must be a multiple of num_heads")
        self.cut = (num_heads, head_dim)
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_o = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length, dtype=torch.bool), 1))

    def forward(self, x: Float[Tensor, "batch tokens d_in"]) -> Float[Tensor, "batch tokens d_out"]:
        batch, tokens = x.shape[:2]
        q = self.W_q(x).reshape(batch, tokens, *self.cut).transpose(1, 2) / self.cut[1] ** 0.5
        k = self.W_k(x).reshape(batch, tokens, *self.cut).transpose(1, 2)
        v = self.W_v(x).reshape(batch, tokens, *self.cut).transpose(1, 2)
        scores = q @ k.transpose(-1, -2)
        scores = scores.masked_fill(self.mask[:tokens, :tokens], torch.finfo(scores.dtype).min)
        weights = self.dropout(torch.softmax(scores, -1))
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, tokens, -1))
