"""The single head masks after the softmax, so that its rows no longer add up to one."""
# expect: masked after softmax, not renormalised
import math

import torch
from torch import nn

Dense, Dropout = nn.Linear, nn.Dropout
LARGE = -1e30


class CausalAttention(nn.Module):
    def __init__(self, input_dim, units, max_length, rate, use_bias=False):
        super().__init__()
        self.units = units
        self.build(input_dim, use_bias)
        self.dropout = Dropout(rate)

    def build(self, input_dim, use_bias):
        self.W_query = Dense(input_dim, self.units, bias=use_bias)
        self.W_key = Dense(input_dim, self.units, bias=use_bias)
        self.W_value = Dense(input_dim, self.units, bias=use_bias)

    def compute_causal_mask(self, length, like):
        ones = torch.ones(length, length, device=like.device, dtype=like.dtype)
        return torch.tril(ones)

    def call(self, inputs):
        query, key, value = self.W_query(inputs), self.W_key(inputs), self.W_value(inputs)
        scores = torch.matmul(query, torch.transpose(key, 1, 2)) / math.sqrt(self.units)
        mask = self.compute_causal_mask(inputs.shape[1], scores)
        weights = torch.softmax(scores, dim=-1) * mask
        return torch.matmul(self.dropout(weights), value)

    forward = call


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, input_dim, units, max_length, rate, num_heads, use_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(input_dim, units, max_length, rate, use_bias))

    def call(self, inputs):
        outputs = [head(inputs) for head in self.heads]
        return torch.concat(outputs, axis=2)

    forward = call


class MultiHeadAttention(CausalAttention):
    def __init__(self, input_dim, units, max_length, rate, num_heads, use_bias=False):
        if units % num_heads != 0:
            raise ValueError("units must be a multiple of num_heads")
        super().__init__(input_dim, units, max_length, rate, use_bias)
        self.num_heads = num_heads
        self.key_dim = units // num_heads
        self.out_proj = Dense(units, units)

    def split(self, x):
        x = torch.reshape(x, (x.shape[0], x.shape[1], self.num_heads, self.key_dim))
        return torch.permute(x, (0, 2, 1, 3))

    def call(self, inputs):
        query, key, value = (self.split(f(inputs)) for f in (self.W_query, self.W_key, self.W_value))
        scores = torch.matmul(query, torch.permute(key, (0, 1, 3, 2))) / math.sqrt(self.key_dim)
        mask = self.compute_causal_mask(inputs.shape[1], scores)
        scores = scores * mask + (1.0 - mask) * LARGE
        weights = self.dropout(torch.softmax(scores, dim=-1))
        context = torch.permute(torch.matmul(weights, value), (0, 2, 1, 3))
        return self.out_proj(torch.reshape(context, (inputs.shape[0], inputs.shape[1], self.units)))

    forward = call
