"""Right: the softmax by logsumexp, and the merge is part of the output projection."""
import torch
import torch.nn.functional as F
from torch import nn

NEG = float("-inf")


def log_softmax(scores):
    return scores - torch.logsumexp(scores, dim=-1, keepdim=True)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert not d_out % num_heads, "num_heads must divide d_out"
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.mask = torch.ones(context_length, context_length, dtype=torch.bool).triu(1)

    def forward(self, x):
        q, k, v = [w(x).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2) for w in (self.W_query, self.W_key, self.W_value)]
        d = q.size(-1)
        scores = torch.matmul(q, k.transpose(-2, -1)) * (1.0 / d) ** 0.5
        n = x.size(-2)
        hidden = self.mask[:n, :n].to(x.device)
        weights = torch.exp(log_softmax(scores.masked_fill(hidden, NEG)))
        z = self.dropout(weights) @ v                                            # b h n d
        w = self.out_proj.weight.unflatten(1, (self.num_heads, d))               # o h d
        return torch.tensordot(z, w, dims=([1, 3], [1, 2])) + self.out_proj.bias
