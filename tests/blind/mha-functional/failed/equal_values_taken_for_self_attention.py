"""Fuses the projections when k and v hold the same numbers as q.

Idea: Tensors with equal values are taken for the same tensor, so the gradients of k and v go to q.
Where: only the gradient of k and v when they are other tensors with the values of q
"""

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    if torch.equal(q, k) and torch.equal(k, v):
        Q, K, V = F.linear(q, in_proj_weight).chunk(3, dim=-1)
    else:
        Q, K, V = (F.linear(x, w) for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    Q, K, V = (x.unflatten(-1, (num_heads, -1)).transpose(1, 2) for x in (Q, K, V))
    s = Q @ K.mT / math.sqrt(Q.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), -math.inf)
    return F.linear((s.softmax(-1) @ V).transpose(1, 2).flatten(2), out_proj_weight)
