"""Attention over plain dot products.

Idea: The scores are not divided by the square root of d_head.
Where: everywhere
Id: missing-scale
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    n, lq, lk, dh = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = (q @ wq.T).view(n, lq, num_heads, dh).transpose(1, 2)
    K = (k @ wk.T).view(n, lk, num_heads, dh).transpose(1, 2)
    V = (v @ wv.T).view(n, lk, num_heads, dh).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(n, lq, lk)[:, None], float("-inf"))
    return (scores.softmax(-1) @ V).transpose(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
