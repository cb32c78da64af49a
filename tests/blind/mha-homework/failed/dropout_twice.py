"""Drops attention weights and then, out of habit, features of the output."""

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super(MultiHeadAttention, self).__init__()
        # the heads must fit exactly
        assert d_out % num_heads == 0, "does not fit!"
        self.d_in = d_in
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = int(d_out / num_heads)
        # the three layers
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        # and the last layer
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        # 1 = must not look
        mask = torch.ones(context_length, context_length)
        mask = torch.triu(mask, diagonal=1)
        self.register_buffer("mask", mask)

    def forward(self, x):
        # x is (batch, tokens, d_in)
        batch = x.shape[0]
        tokens = x.shape[1]
        print("input:", x.shape)
        # project
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        # split
        q = torch.reshape(q, (batch, tokens, self.num_heads, self.head_dim))
        k = torch.reshape(k, (batch, tokens, self.num_heads, self.head_dim))
        v = torch.reshape(v, (batch, tokens, self.num_heads, self.head_dim))
        # swap
        q = torch.transpose(q, 1, 2)
        k = torch.transpose(k, 1, 2)
        v = torch.transpose(v, 1, 2)
        # scores
        scores = torch.matmul(q, torch.transpose(k, 2, 3))
        scores = scores / (self.head_dim**0.5)
        # hide
        mask = self.mask[0:tokens, 0:tokens]
        scores = torch.masked_fill(scores, mask == 1, float("-inf"))
        # softmax
        weights = torch.softmax(scores, dim=3)
        weights = self.dropout(weights)
        # sum
        context = torch.matmul(weights, v)
        # swap back
        context = torch.transpose(context, 1, 2)
        # merge
        context = torch.reshape(context, (batch, tokens, self.d_out))
        output = self.dropout(self.out_proj(context))
        print("output:", output.shape)
        return output
