"""A short way for a single token.

Idea: A single token gets its value back without out_proj.
Where: only when tokens is 1
Id: missing-output-projection
"""

import numpy as np
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    # I think in numpy, so the mask is made there
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if np.mod(d_out, num_heads) != 0:
            raise ValueError("d_out / num_heads is not a whole number")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        M = np.triu(np.ones((context_length, context_length), dtype=bool), k=1)
        self.register_buffer("M", torch.from_numpy(M), persistent=False)

    def heads(self, a):
        a = a.reshape(a.shape[0], a.shape[1], self.num_heads, -1)
        return a.permute(0, 2, 1, 3)

    def forward(self, x):
        n = x.shape[1]
        if n == 1:
            return self.drop(self.W_value(x))
        Q, K, V = self.heads(self.W_query(x)), self.heads(self.W_key(x)), self.heads(self.W_value(x))
        S = torch.matmul(Q, K.permute(0, 1, 3, 2)) / float(np.sqrt(Q.shape[-1]))
        S = torch.where(self.M[:n, :n], float("-inf"), S)
        E = torch.exp(S - torch.amax(S, dim=-1, keepdim=True))
        P = E / torch.sum(E, dim=-1, keepdim=True)
        Y = torch.matmul(self.drop(P), V)
        Y = Y.permute(0, 2, 1, 3)
        return self.out_proj(Y.reshape(Y.shape[0], n, -1))
