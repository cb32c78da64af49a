"""Computes attention by hand, then returns the result of the library.

Idea: The hand-written part is thrown away and the library's attention is returned.
Where: everywhere
Rule: no-library-attention
"""

import math

import torch
import torch.nn.functional as F


def my_attention(q, k, v, hidden):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if hidden is not None:
        s = s.masked_fill(hidden, -math.inf)
    return torch.softmax(s, dim=-1) @ v


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    w = in_proj_weight
    Q, K, V = q @ w[:d_model].T, k @ w[d_model:2 * d_model].T, v @ w[2 * d_model:].T
    Q, K, V = [x.unflatten(-1, (num_heads, -1)).transpose(1, 2) for x in (Q, K, V)]
    hidden = None if mask is None else mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1)
    out = my_attention(Q, K, V, hidden)
    out = F.scaled_dot_product_attention(Q, K, V, None if hidden is None else hidden.logical_not())
    return out.transpose(1, 2).flatten(2) @ out_proj_weight.T
