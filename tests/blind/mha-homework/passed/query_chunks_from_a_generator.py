"""A generator yields three queries at a time with the keys they may see; results are concatenated, so no full matrix of scores exists."""

import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def chunks(self, q, k, v, size=3):
        """Yield queries, their keys and values, and what is hidden among them."""
        for start in range(0, q.shape[2], size):
            part = q[:, :, start : start + size]
            stop = start + part.shape[2]
            hidden = torch.arange(stop, device=q.device) > torch.arange(start, stop, device=q.device).unsqueeze(1)
            yield part, k[:, :, :stop], v[:, :, :stop], hidden

    def forward(self, x):
        q, k, v = (rearrange(f(x), "b t (h d) -> b h t d", h=self.num_heads) for f in (self.W_query, self.W_key, self.W_value))
        done = []
        for part, keys, values, hidden in self.chunks(q, k, v):
            scores = part @ keys.mT / self.head_dim**0.5
            done.append(self.dropout(scores.masked_fill(hidden, -torch.inf).softmax(-1)) @ values)
        return self.out_proj(rearrange(torch.cat(done, dim=2), "b h t d -> b t (h d)"))
