"""exp, sum and division written out; queries scaled before they are used; the mask from comparing positions, with -1e9."""

import torch
from torch import nn


def my_softmax(scores):
    scores = scores - scores.max(dim=-1, keepdim=True).values.detach()
    numerator = scores.exp()
    return numerator / numerator.sum(dim=-1, keepdim=True)


def causal_weights(queries, keys):
    scores = (queries * queries.shape[-1] ** -0.5) @ keys.mT
    position = torch.arange(scores.shape[-1], device=scores.device)
    return my_softmax(torch.where(position[:, None] >= position, scores, torch.full_like(scores, -1e9)))


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(causal_weights(self.W_query(x), self.W_key(x))) @ self.W_value(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        for i in range(num_heads):
            setattr(self, f"head{i}", CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        return torch.hstack([head(x).mT for head in self.children()]).mT


class MultiHeadAttention(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads must be 0")
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, x.shape[-1] // self.num_heads)).swapaxes(-2, -3)

    def forward(self, x):
        weights = causal_weights(self.split(self.W_query(x)), self.split(self.W_key(x)))
        context = self.dropout(weights) @ self.split(self.W_value(x))
        return self.out_proj(context.swapaxes(-2, -3).flatten(-2))
