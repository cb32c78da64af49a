"""Reuses q for k and v when all three start at the same place in memory.

Idea: Tensors that start at one address can still differ, as q may be a slice of k.
Where: only when k and v are one tensor and q is a slice of it that starts where it starts
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    if q.data_ptr() == k.data_ptr() == v.data_ptr():      # self-attention
        k = v = q
        if mask is not None:
            mask = mask[..., :q.shape[1]]
    wq, wk, wv = in_proj_weight.chunk(3)
    cut = lambda x: x.unflatten(-1, (num_heads, d_model // num_heads)).transpose(1, 2)
    scores = cut(q @ wq.T) @ cut(k @ wk.T).mT / math.sqrt(d_model // num_heads)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(len(q), q.shape[1], k.shape[1])[:, None], -math.inf)
    return (torch.softmax(scores, -1) @ cut(v @ wv.T)).transpose(1, 2).flatten(2) @ out_proj_weight.T
