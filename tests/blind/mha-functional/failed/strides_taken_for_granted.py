"""Cuts the weight into heads with as_strided.

Idea: The strides of a contiguous weight are written by hand, which reads wrong numbers from a weight that is a transposed view.
Where: only for a non-contiguous in_proj_weight
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d, h, e = d_model, num_heads, d_model // num_heads
    W = in_proj_weight.as_strided((3, h, e, d), (d * d, e * d, d, 1))
    Q, K, V = (torch.einsum("nld,hed->nhle", x, w) for x, w in zip((q, k, v), W))
    scores = Q @ K.mT / math.sqrt(e)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(len(q), q.shape[1], k.shape[1]).unsqueeze(1), -math.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
