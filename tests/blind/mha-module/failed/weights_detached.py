"""In MultiHeadAttention: computes the weights under no_grad, so that W_query and W_key never learn."""

import torch
from torch import Tensor, nn


@torch.jit.script
def causal_weights(q: Tensor, k: Tensor) -> Tensor:
    scores = torch.matmul(q, k.transpose(-2, -1)) / (q.size(-1) ** 0.5)
    hidden = torch.ones_like(scores).triu(1) > 0
    return torch.softmax(scores.masked_fill(hidden, -float("inf")), dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads has to divide d_out")
        self.num_heads = num_heads
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def to_heads(self, y: Tensor) -> Tensor:
        return y.reshape(y.size(0), y.size(1), self.num_heads, self.d_out // self.num_heads).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            weights = causal_weights(self.to_heads(self.W_query(x)), self.to_heads(self.W_key(x)))
        context = self.dropout(weights) @ self.to_heads(self.W_value(x))
        return self.out_proj(context.transpose(1, 2).reshape(x.size(0), x.size(1), self.d_out))


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
