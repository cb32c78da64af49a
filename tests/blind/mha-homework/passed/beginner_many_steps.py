"""Unusual: written by a beginner, one small step a line, with the mask filled in by two Python loops."""
import torch
import torch.nn as nn
import math


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttention, self).__init__()

        # check first
        remainder = d_out % num_heads
        assert remainder == 0

        # remember everything
        self.d_in = d_in
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = int(d_out / num_heads)

        # layers
        if qkv_bias == True:
            self.W_query = nn.Linear(d_in, d_out)
            self.W_key = nn.Linear(d_in, d_out)
            self.W_value = nn.Linear(d_in, d_out)
        else:
            self.W_query = nn.Linear(d_in, d_out, bias=False)
            self.W_key = nn.Linear(d_in, d_out, bias=False)
            self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

        # dropout and mask
        self.drop_layer = nn.Dropout(dropout)
        mask = torch.zeros(context_length, context_length)
        for i in range(context_length):
            for j in range(context_length):
                if j > i:
                    mask[i, j] = 1
        self.register_buffer("mask", mask)

    def forward(self, x):
        batch = x.shape[0]
        tokens = x.shape[1]

        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)

        q = q.view(batch, tokens, self.num_heads, self.head_dim)
        k = k.view(batch, tokens, self.num_heads, self.head_dim)
        v = v.view(batch, tokens, self.num_heads, self.head_dim)

        q = q.permute(0, 2, 1, 3)
        k = k.permute(0, 2, 1, 3)
        v = v.permute(0, 2, 1, 3)

        k_t = k.permute(0, 1, 3, 2)
        scores = torch.matmul(q, k_t)
        scores = scores / math.sqrt(self.head_dim)

        small_mask = self.mask[0:tokens, 0:tokens]
        small_mask = small_mask.bool()
        scores.masked_fill_(small_mask, -float("inf"))

        softmax = nn.Softmax(dim=3)
        weights = softmax(scores)
        weights = self.drop_layer(weights)

        context = torch.matmul(weights, v)
        context = context.permute(0, 2, 1, 3)
        context = context.contiguous()
        context = context.view(batch, tokens, self.d_out)

        output = self.out_proj(context)
        return output
