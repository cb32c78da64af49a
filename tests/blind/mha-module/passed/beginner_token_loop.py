"""No mask anywhere: a loop over the tokens gives each query just the keys up to itself."""

import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.d_out = d_out

    def forward(self, x):
        number_of_tokens = x.shape[1]
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        results = []
        for i in range(number_of_tokens):
            query = queries[:, i : i + 1, :]  # (batch, 1, d_out)
            keys_so_far = keys[:, : i + 1, :]
            values_so_far = values[:, : i + 1, :]
            scores = torch.matmul(query, keys_so_far.transpose(1, 2))
            scores = scores / self.d_out**0.5
            weights = torch.softmax(scores, dim=-1)
            weights = self.dropout(weights)
            results.append(torch.matmul(weights, values_so_far))
        return torch.cat(results, dim=1)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        for i in range(num_heads):
            head = CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)
            self.heads.append(head)

    def forward(self, x):
        results = []
        for head in self.heads:
            results.append(head(x))
        return torch.cat(results, dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads!")
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads

    def forward(self, x):
        batch_size = x.shape[0]
        number_of_tokens = x.shape[1]
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        # (batch, tokens, d_out) -> (batch, tokens, heads, head_dim) -> (batch, heads, tokens, head_dim)
        queries = queries.reshape(batch_size, number_of_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        keys = keys.reshape(batch_size, number_of_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        values = values.reshape(batch_size, number_of_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        results = []
        for i in range(number_of_tokens):
            query = queries[:, :, i : i + 1, :]  # (batch, heads, 1, head_dim)
            scores = torch.matmul(query, keys[:, :, : i + 1, :].transpose(2, 3))
            scores = scores / self.head_dim**0.5
            weights = torch.softmax(scores, dim=-1)
            weights = self.dropout(weights)
            results.append(torch.matmul(weights, values[:, :, : i + 1, :]))
        context = torch.cat(results, dim=2)
        context = context.transpose(1, 2).reshape(batch_size, number_of_tokens, self.d_out)
        return self.out_proj(context)
