"""Heads are put in reversed order for the attention and back in order before the merge."""

import math

import torch
from torch import Tensor, nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super(CausalAttention, self).__init__()
        # save the numbers
        self.d_in = d_in
        self.d_out = d_out
        self.context_length = context_length
        # make the three layers
        if qkv_bias == True:
            self.W_query = nn.Linear(d_in, d_out, bias=True)
            self.W_key = nn.Linear(d_in, d_out, bias=True)
            self.W_value = nn.Linear(d_in, d_out, bias=True)
        else:
            self.W_query = nn.Linear(d_in, d_out, bias=False)
            self.W_key = nn.Linear(d_in, d_out, bias=False)
            self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout_layer = nn.Dropout(dropout)

    def forward(self, x):
        batch_size = x.shape[0]
        n_tokens = x.shape[1]
        query = self.W_query(x)
        key = self.W_key(x)
        value = self.W_value(x)
        # every query with every key
        key_t = torch.transpose(key, 1, 2)
        score = torch.matmul(query, key_t)
        # scale
        score = score / (self.d_out ** 0.5)
        # mask: 1 above the diagonal
        mask = torch.ones(n_tokens, n_tokens, device=x.device)
        mask = torch.triu(mask, diagonal=1)
        mask = mask == 1
        score = torch.masked_fill(score, mask, -torch.inf)
        # softmax, dropout, sum
        weight = torch.softmax(score, dim=2)
        weight = self.dropout_layer(weight)
        output = torch.matmul(weight, value)
        return output


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        args = (d_in, d_out, context_length, dropout)
        self.heads = nn.ModuleList(CausalAttention(*args, qkv_bias=qkv_bias) for _ in range(num_heads))

    def forward(self, x):
        side_by_side = torch.stack([h(x) for h in self.heads], dim=-2)
        return side_by_side.flatten(-2)


class MultiHeadAttention(nn.Module):
    """Multi-head attention with a causal mask."""

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"d_out ({d_out}) is not divisible by num_heads ({num_heads})")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)).bool())

    def split_heads(self, t: Tensor) -> Tensor:
        batch, tokens, _ = t.shape
        return t.reshape(batch, tokens, self.num_heads, self.head_dim).permute(0, 2, 1, 3).flip(1)

    def merge_heads(self, t: Tensor) -> Tensor:
        batch, _, tokens, _ = t.shape
        return t.flip(1).permute(0, 2, 1, 3).reshape(batch, tokens, self.d_out)

    def forward(self, x: Tensor) -> Tensor:
        tokens = x.shape[1]
        q = self.split_heads(self.W_query(x))
        k = self.split_heads(self.W_key(x))
        v = self.split_heads(self.W_value(x))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.head_dim)
        scores = scores.masked_fill(~self.mask[:tokens, :tokens], float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.out_proj(self.merge_heads(torch.matmul(weights, v)))
