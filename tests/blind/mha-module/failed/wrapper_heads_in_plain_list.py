"""A wrapper with a list of heads.

Idea: The heads are kept in a plain list, PyTorch does not know their weights.
Where: everywhere in the wrapper
"""

import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.root = math.sqrt(d_out)

    def forward(self, x):
        q, k, v = (layer(x) for layer in (self.to_q, self.to_k, self.to_v))
        logits = torch.bmm(q, k.transpose(1, 2)) / self.root
        bias = logits.new_full((x.shape[1], x.shape[1]), -math.inf).triu(1)
        logits = logits + bias
        log_weights = logits - torch.logsumexp(logits, dim=-1, keepdim=True)
        weights = self.dropout(log_weights.exp())
        return torch.bmm(weights, v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.heads = []
        for i in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        outputs = []
        for i in range(self.num_heads):
            out = self.heads[i](x)
            outputs.append(out)
        result = torch.cat(outputs, dim=2)
        return result


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("bad number of heads")
        self.head_dim = d_out // num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_out = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        def heads(t):
            return torch.stack(t.split(self.head_dim, dim=-1), dim=1)

        q, k, v = heads(self.to_q(x)), heads(self.to_k(x)), heads(self.to_v(x))
        logits = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.head_dim)
        logits = logits + torch.full_like(logits[0, 0], -math.inf).triu(1)
        weights = self.dropout(torch.exp(torch.log_softmax(logits, dim=-1)))
        merged = torch.cat(torch.matmul(weights, v).unbind(dim=1), dim=-1)
        return self.to_out(merged)
