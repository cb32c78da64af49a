"""Builds layers and copies the given weights into them.

Idea: A copy of the weights in a layer of its own gets the right numbers but passes no gradient back to the weights.
Where: only the gradient of both weights
Id: detached-gradient
"""

import math

import torch
from torch import nn


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    qkv = nn.Linear(d_model, 3 * d_model, bias=False, dtype=q.dtype)
    out = nn.Linear(d_model, d_model, bias=False, dtype=q.dtype)
    with torch.no_grad():
        qkv.weight.copy_(in_proj_weight)
        out.weight.copy_(out_proj_weight)
    d_head = d_model // num_heads
    Q = qkv(q)[..., :d_model].unflatten(-1, (num_heads, d_head)).transpose(1, 2)
    K = qkv(k)[..., d_model:2 * d_model].unflatten(-1, (num_heads, d_head)).transpose(1, 2)
    V = qkv(v)[..., 2 * d_model:].unflatten(-1, (num_heads, d_head)).transpose(1, 2)
    S = Q @ K.mT / math.sqrt(d_head)
    if mask is not None:
        S = S.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None], -math.inf)
    return out((S.softmax(-1) @ V).transpose(1, 2).flatten(2))
