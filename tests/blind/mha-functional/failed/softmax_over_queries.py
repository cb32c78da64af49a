"""Attention where each key shares itself out.

Idea: The softmax runs over the queries and not over the keys.
Where: everywhere
Id: softmax-dim
"""

import math

import torch
from torch import nn


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, f"{d_model} % {num_heads}"
    batch, tgt, src = q.size(0), q.size(1), k.size(1)
    head_dim = d_model // num_heads
    query = torch.matmul(q, in_proj_weight[:d_model].t()).view(batch, tgt, num_heads, head_dim).transpose(1, 2)
    key = torch.matmul(k, in_proj_weight[d_model:2 * d_model].t()).view(batch, src, num_heads, head_dim).transpose(1, 2)
    value = torch.matmul(v, in_proj_weight[2 * d_model:].t()).view(batch, src, num_heads, head_dim).transpose(1, 2)
    energy = torch.matmul(query, key.transpose(2, 3)) / math.sqrt(head_dim)
    if mask is not None:
        energy = energy.masked_fill(mask.bool().expand(batch, tgt, src).unsqueeze(1), -1e30)
    weights = nn.Softmax(dim=2)(energy)
    out = torch.matmul(weights, value).transpose(1, 2).contiguous().view(batch, tgt, d_model)
    return torch.matmul(out, out_proj_weight.t())
