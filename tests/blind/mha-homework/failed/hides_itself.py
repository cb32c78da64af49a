"""Wrong: a token does not see itself, the comparison is strict."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, units, context_length, rate, num_heads, use_bias=False):
        super().__init__()
        self.units = units
        self.num_heads = num_heads
        self.rate = rate
        self.context_length = context_length
        self.build((None, None, d_in), use_bias)

    def build(self, input_shape, use_bias):
        d_in = input_shape[-1]
        if self.units % self.num_heads != 0:
            raise ValueError(f"units ({self.units}) must be a multiple of num_heads ({self.num_heads})")
        self.depth = self.units // self.num_heads
        self.query = nn.Linear(d_in, self.units, bias=use_bias)
        self.key = nn.Linear(d_in, self.units, bias=use_bias)
        self.value = nn.Linear(d_in, self.units, bias=use_bias)
        self.out_proj = nn.Linear(self.units, self.units)

    def compute_mask(self, scores):
        i = torch.arange(scores.shape[-2], device=scores.device)[:, None]
        j = torch.arange(scores.shape[-1], device=scores.device)
        return i > j

    def split_heads(self, x, batch_size):
        x = torch.reshape(x, (batch_size, -1, self.num_heads, self.depth))
        return torch.permute(x, (0, 2, 1, 3))

    def call(self, inputs, training=None):
        batch_size = inputs.shape[0]
        query = self.split_heads(self.query(inputs), batch_size)
        key = self.split_heads(self.key(inputs), batch_size)
        value = self.split_heads(self.value(inputs), batch_size)
        scores = torch.matmul(query, key.transpose(-1, -2)) / torch.sqrt(torch.tensor(self.depth, dtype=inputs.dtype))
        scores = torch.where(self.compute_mask(scores), scores, torch.full_like(scores, torch.finfo(scores.dtype).min))
        weights = nn.functional.softmax(scores, dim=-1)
        weights = nn.functional.dropout(weights, p=self.rate, training=training)
        context = torch.permute(torch.matmul(weights, value), (0, 2, 1, 3))
        return self.out_proj(torch.reshape(context, (batch_size, -1, self.units)))

    def forward(self, x):
        return self.call(x, training=self.training)
