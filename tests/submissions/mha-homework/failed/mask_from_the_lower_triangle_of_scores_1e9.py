"""Zeros of the lower triangle of the scores are the mask, with a large number.
Diagnosis: mask-from-scores
"""

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """
    Multi-head attention with a causal mask.
    """

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        # step 0: configuration
        assert d_out % num_heads == 0, "d_out % num_heads must be 0"
        self.d_out = d_out
        self.h = num_heads
        self.d = d_out // num_heads

        # step 1: weights
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out)

        # step 2: dropout, mask
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        b, n, _ = x.shape

        # step 3: project
        Q = self.W_q(x)
        K = self.W_k(x)
        V = self.W_v(x)

        # step 4: split
        Q = Q.view(b, n, self.h, self.d).transpose(1, 2)
        K = K.view(b, n, self.h, self.d).transpose(1, 2)
        V = V.view(b, n, self.h, self.d).transpose(1, 2)

        # step 5: scores
        scores = Q @ K.transpose(-2, -1)

        # step 6: mask
        scores = torch.where(torch.tril(scores) == 0, torch.full_like(scores, -1e9), scores)

        # step 7: scale, softmax, dropout
        scores = scores / (self.d ** 0.5)
        weights = torch.softmax(scores, dim=-1)
        weights = self.drop(weights)

        # step 8: weighted sum
        context = weights @ V

        # step 9: concat
        context = context.transpose(1, 2)
        context = context.contiguous().view(b, n, self.d_out)

        # step 10: output projection
        return self.proj(context)
