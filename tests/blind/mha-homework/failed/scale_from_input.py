"""The scale comes from d_in / num_heads, which is right as long as d_in equals d_out."""
# expect: scaled by d_in, not d_out
import torch
from torch import nn


def softmax64(scores, visible):
    scores = scores.double().masked_fill(~visible, -torch.inf)
    powers = (scores - scores.amax(-1, keepdim=True).detach()).exp()
    return powers / powers.sum(-1, keepdim=True)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be a multiple of num_heads"
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length
        self.scale = max(d_in / num_heads, 1e-9) ** 0.5

    def split(self, t):
        return t.unflatten(2, (self.num_heads, self.head_dim)).permute(0, 2, 1, 3)

    def forward(self, x):
        n = x.size(1)
        if n > self.context_length:
            raise ValueError(f"{n} tokens, but the context is {self.context_length}")
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        visible = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        weights = softmax64(q.double() @ k.double().mT / self.scale, visible)
        y = self.dropout(weights) @ v.double()
        return self.out_proj(y.permute(0, 2, 1, 3).flatten(2).to(x.dtype))
