# Says: In the line `v = self.split(W_value(x))` the name `W_value` stands alone: the layer is `self.W_value`.
# Line: 36
# Names: W_value, self.W_value
# Kind: crash
import math

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Causal multi-head attention: (batch, tokens, d_in) -> (batch, tokens, d_out)."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads does not divide d_out")
        self.h = num_heads
        self.hd = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def split(self, t: Tensor) -> Tensor:
        B, T, _ = t.shape
        return t.reshape(B, T, self.h, self.hd).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        B, T, _ = x.shape
        q = self.split(self.W_query(x))
        k = self.split(self.W_key(x))
        v = self.split(W_value(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.hd)
        causal = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        scores = scores.masked_fill(causal, float("-inf"))
        w = self.drop(torch.softmax(scores, dim=-1))
        ctx = (w @ v).transpose(1, 2).flatten(2)
        return self.out_proj(ctx)
