"""Wrong: the values are detached, so W_value never learns."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def _contexts(self, q, k, v):
        for i in range(q.shape[2]):
            seen = slice(0, i + 1)
            scores = (q[:, :, i : i + 1] * k[:, :, seen]).sum(-1) / self.head_dim**0.5
            weights = self.dropout(torch.softmax(scores, dim=-1))
            yield (weights.unsqueeze(-1) * v[:, :, seen].detach()).sum(2)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        context = torch.stack(list(self._contexts(q, k, v)), dim=1)
        return self.out_proj(context.reshape(b, t, -1))
