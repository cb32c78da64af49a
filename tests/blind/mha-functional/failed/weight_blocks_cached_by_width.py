"""Cuts the input weight once for each width and keeps the blocks.

Idea: The blocks are remembered by size in a default argument, so other weights of that size are answered with the first ones.
Where: only when a later call brings other weights of the same size
Id: stale-cache
"""

import math

import torch


def blocks(weight, d_model, seen={}):
    if (d_model, weight.dtype) not in seen:
        seen[d_model, weight.dtype] = weight.split(d_model)
    return seen[d_model, weight.dtype]


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wk, wv = blocks(in_proj_weight, d_model)
    Q, K, V = ((x @ w.T).reshape(*x.shape[:2], num_heads, -1).permute(0, 2, 1, 3) for x, w in ((q, wq), (k, wk), (v, wv)))
    s = Q @ K.permute(0, 1, 3, 2) / math.sqrt(d_model // num_heads)
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(s.shape[0], *s.shape[2:])[:, None], -math.inf)
    return (torch.softmax(s, 3) @ V).permute(0, 2, 1, 3).flatten(2) @ out_proj_weight.T
