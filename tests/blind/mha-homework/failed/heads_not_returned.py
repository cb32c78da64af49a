"""Merges without bringing the heads back behind the tokens."""
# expect: merges without moving heads back
import math

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, features_in, features_out, max_len, dropout_rate, num_heads, use_bias=False):
        super().__init__()
        assert features_out % num_heads == 0, "Memory dimension must be divisible by number of heads."
        self.num_heads = num_heads
        self.head_dim = features_out // num_heads
        self.W_q = nn.Linear(features_in, features_out, bias=use_bias)
        self.W_k = nn.Linear(features_in, features_out, bias=use_bias)
        self.W_v = nn.Linear(features_in, features_out, bias=use_bias)
        self.W_o = nn.Linear(features_out, features_out)
        self.dropout = nn.Dropout(dropout_rate)

    def _split(self, x):
        return torch.movedim(x.reshape(*x.shape[:2], self.num_heads, self.head_dim), 2, 1)

    def forward(self, inputs):
        query, key, value = self._split(self.W_q(inputs)), self._split(self.W_k(inputs)), self._split(self.W_v(inputs))
        query = query / math.sqrt(self.head_dim)
        attn_logits = torch.matmul(query, torch.swapaxes(key, 2, 3))
        idxs = torch.arange(inputs.shape[1], device=inputs.device)
        mask = idxs[:, None] >= idxs[None, :]
        attn_logits = torch.where(mask, attn_logits, torch.finfo(attn_logits.dtype).min)
        attn_weights = torch.softmax(attn_logits, dim=-1)
        attn_weights = self.dropout(attn_weights)
        y = torch.matmul(attn_weights, value)
        return self.W_o(y.reshape(inputs.shape[0], inputs.shape[1], -1))
