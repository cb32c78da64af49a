"""Right: the module only holds weights; a pure function over them computes, with one fused product per call."""
import torch
import torch.nn.functional as F
from torch import nn


def attend(x, qkv_weight, qkv_bias, out_weight, out_bias, heads, drop):
    b, n, _ = x.shape
    q, k, v = F.linear(x, qkv_weight, qkv_bias).view(b, n, 3, heads, -1).permute(2, 0, 3, 1, 4)
    scores = torch.baddbmm(
        torch.full((n, n), -torch.inf, dtype=x.dtype, device=x.device).triu(1).expand(b * heads, n, n),
        q.flatten(0, 1),
        k.flatten(0, 1).transpose(1, 2),
        alpha=q.shape[-1] ** -0.5,
    )
    y = torch.bmm(drop(scores.softmax(2)), v.flatten(0, 1))
    return F.linear(y.unflatten(0, (b, heads)).transpose(1, 2).flatten(2), out_weight, out_bias)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        if d_out % num_heads:
            raise ValueError("d_out % num_heads")
        super().__init__()
        self.heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        layers = (self.W_query, self.W_key, self.W_value)
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if self.W_query.bias is None else torch.cat([layer.bias for layer in layers])
        return attend(x, weight, bias, self.out_proj.weight, self.out_proj.bias, self.heads, self.dropout)
