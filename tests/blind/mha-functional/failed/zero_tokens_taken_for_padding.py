"""Hides keys whose token is all zeros.

Idea: A key of zeros is taken for padding and hidden, although no mask says so.
Where: only when a token of k is exactly zero
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    n, lq, lk = q.size(0), q.size(1), k.size(1)
    padding = (k == 0).all(dim=-1)[:, None].expand(n, lq, lk)
    hidden = padding if mask is None else padding | mask.bool()
    hidden = hidden & ~hidden.all(-1, keepdim=True)
    W = in_proj_weight.unflatten(0, (3, -1))
    Q, K, V = ((x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), W))
    s = (Q @ K.mT / math.sqrt(Q.size(-1))).masked_fill(hidden.unsqueeze(1), -math.inf)
    return (torch.softmax(s, -1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
