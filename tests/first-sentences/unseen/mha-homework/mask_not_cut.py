# Says: `self.mask.bool()` is (context_length, context_length), which does not fit a shorter sequence: cut it to `[:num_tokens, :num_tokens]`.
# Line: 35
# Names: self.mask, num_tokens
# Kind: crash
import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Causal multi-head attention: (batch, tokens, d_in) -> (batch, tokens, d_out)."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x: Tensor) -> Tensor:
        batch, num_tokens, _ = x.shape

        def cut(t: Tensor) -> Tensor:
            return t.reshape(batch, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)

        q, k, v = cut(self.W_query(x)), cut(self.W_key(x)), cut(self.W_value(x))
        scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
        scores = scores.masked_fill(self.mask.bool(), float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))
        out = (weights @ v).transpose(1, 2).reshape(batch, num_tokens, -1)
        return self.out_proj(out)
