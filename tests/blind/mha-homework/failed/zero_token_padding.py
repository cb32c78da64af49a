"""Takes a token of zeros for padding and hides it from the others."""
# expect: all-zero tokens hidden as padding
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

    def split(self, t):
        return t.unflatten(2, (self.num_heads, self.head_dim)).permute(0, 2, 1, 3)

    def forward(self, x):
        n = x.size(1)
        if n > self.context_length:
            raise ValueError(f"{n} tokens, but the context is {self.context_length}")
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        visible = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        padded = (x == 0).all(-1)[:, None, None, :]
        visible = visible & (~padded | torch.eye(n, dtype=torch.bool, device=x.device))
        weights = softmax64(q.double() @ k.double().mT / self.head_dim**0.5, visible)
        y = self.dropout(weights) @ v.double()
        return self.out_proj(y.permute(0, 2, 1, 3).flatten(2).to(x.dtype))
