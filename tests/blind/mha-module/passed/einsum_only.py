"""einsum does every product, and the heads are a fourth axis of the weights."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.heads = num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        self.drop = nn.Dropout(p=dropout)
        self.register_buffer("visible", torch.ones(context_length, context_length, dtype=torch.bool).tril())

    def heads_of(self, layer, x):
        weight = layer.weight.unflatten(0, (self.heads, -1))
        y = torch.einsum("btd,hed->bhte", x, weight)
        if layer.bias is not None:
            y = y + layer.bias.unflatten(0, (self.heads, 1, -1))
        return y

    def forward(self, x):
        t = x.size(1)
        q, k, v = self.heads_of(self.q_proj, x), self.heads_of(self.k_proj, x), self.heads_of(self.v_proj, x)
        scores = torch.einsum("bhie,bhje->bhij", q, k) / q.size(-1) ** 0.5
        scores = torch.where(self.visible[:t, :t], scores, -torch.inf)
        weights = self.drop(torch.softmax(scores, dim=-1))
        merged = torch.einsum("bhij,bhje->bihe", weights, v).flatten(2)
        return self.out_proj(merged)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.context_length = context_length
        self.W_q = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.W_k = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.W_v = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.dropout = nn.Dropout(p=dropout)

    def weights(self, x):
        scores = torch.baddbmm(self.hidden(x), self.W_q(x), self.W_k(x).mT, alpha=self.d_out**-0.5)
        return self.dropout(torch.softmax(scores, dim=-1))

    def hidden(self, x):
        tokens = x.shape[1]
        return torch.full((tokens, tokens), -torch.inf, dtype=x.dtype, device=x.device).triu(1)

    def forward(self, x):
        assert x.dim() == 3, "x must be (batch, tokens, d_in)"
        return torch.bmm(self.weights(x), self.W_v(x))


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(
                d_in=d_in, d_out=d_out, context_length=context_length, dropout=dropout, qkv_bias=qkv_bias
            )
            for _ in range(num_heads)
        )

    def forward(self, x):
        stacked = torch.stack([head(x) for head in self.heads], dim=2)
        return stacked.flatten(start_dim=2)
