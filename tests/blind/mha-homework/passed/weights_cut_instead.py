"""Right: avoids reshaping activations; the weights are viewed per head and the heads are summed by the output layer."""
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("heads do not divide d_out")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("upper", torch.ones(context_length, context_length).triu(1).to(torch.bool))

    def per_head(self, layer, x):
        weight = layer.weight.unflatten(0, (self.num_heads, self.head_dim))  # (heads, head_dim, d_in)
        out = x.unsqueeze(1) @ weight.mT
        return out if layer.bias is None else out + layer.bias.unflatten(0, (self.num_heads, 1, self.head_dim))

    def forward(self, x):
        n = x.shape[-2]
        q, k, v = (self.per_head(layer, x) for layer in (self.W_query, self.W_key, self.W_value))
        scores = q @ k.mT / self.head_dim**0.5
        weights = self.dropout(scores.masked_fill(self.upper[:n, :n], -torch.inf).softmax(-1))
        columns = self.out_proj.weight.unflatten(1, (self.num_heads, self.head_dim))  # (d_out, heads, head_dim)
        return torch.einsum("bhna,oha->bno", weights @ v, columns) + self.out_proj.bias
