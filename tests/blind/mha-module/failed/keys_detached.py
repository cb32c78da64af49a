"""MultiHeadAttention detaches its keys, so no gradient flows through them.

Shows in MultiHeadAttention: the key layer gets no gradient at all, and that of x is wrong.
"""

import torch
from torch import nn

BLOCK = 4


def blockwise(q, k, v, dropout):
    """Causal attention over the last two axes, block of queries after block of queries."""
    n, d = q.shape[-2:]
    done = []
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        scores = q[..., start:stop, :] @ k[..., :stop, :].transpose(-2, -1) / d**0.5
        query_pos = torch.arange(start, stop, device=q.device).unsqueeze(1)
        key_pos = torch.arange(stop, device=q.device).unsqueeze(0)
        scores = scores.masked_fill(key_pos > query_pos, float("-inf"))
        weights = dropout(torch.softmax(scores, dim=-1))
        done.append(weights @ v[..., :stop, :])
    return torch.cat(done, dim=-2)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        return blockwise(q, k, v, self.dropout)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        heads = []
        for _ in range(num_heads):
            heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        out = self.heads[0](x)
        for head in self.heads[1:]:
            out = torch.cat((out, head(x)), dim=-1)
        return out


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError(f"d_out={d_out} leaves {rest} over for num_heads={num_heads}")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        self.dropout = nn.Dropout(dropout)

    def split(self, t):
        b, n, _ = t.shape
        return t.view(b, n, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def forward(self, x):
        q = self.split(self.W_query(x))
        k = self.split(self.W_key(x)).detach()
        v = self.split(self.W_value(x))
        z = blockwise(q, k, v, self.dropout)
        b, h, n, d = z.shape
        return self.out_proj(z.permute(0, 2, 1, 3).reshape(b, n, h * d))
