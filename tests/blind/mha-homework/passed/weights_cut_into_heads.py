"""Unusual: the weight matrices are cut into heads, not the activations, and the output layer sums over heads and features."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out ({d_out}) % num_heads ({num_heads}) != 0")
        self.shape = num_heads, d_out // num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in "qkv")
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).tril())

    def _project(self, layer, x):
        y = torch.einsum("bti,hdi->bhtd", x, layer.weight.unflatten(0, self.shape))
        if layer.bias is not None:
            y = y + layer.bias.view(*self.shape).unsqueeze(1)
        return y

    def forward(self, x):
        q = self._project(self.W_query, x)
        k = self._project(self.W_key, x)
        v = self._project(self.W_value, x)
        t = x.shape[1]
        s = torch.einsum("bhid,bhjd->bhij", q, k) / self.shape[1] ** 0.5
        a = self.dropout(torch.softmax(s.where(self.mask[:t, :t], -torch.inf), -1))
        w_out = self.out_proj.weight.unflatten(1, self.shape)
        return torch.einsum("bhij,bhjd,ohd->bio", a, v, w_out) + self.out_proj.bias
