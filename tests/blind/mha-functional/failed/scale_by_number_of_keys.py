"""Attention that averages over the keys it sees.

Idea: The scale is the square root of the number of keys and not of the size of a head.
Where: everywhere (unless L_k happens to be d_head)
"""

import math


def split(x, h):
    return x.reshape(x.shape[0], x.shape[1], h, x.shape[2] // h).permute(0, 2, 1, 3)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads")
    Q = split(q @ in_proj_weight[:d_model].T, num_heads)
    K = split(k @ in_proj_weight[d_model:2 * d_model].T, num_heads)
    V = split(v @ in_proj_weight[2 * d_model:].T, num_heads)
    scores = Q @ K.permute(0, 1, 3, 2)
    scores = scores / math.sqrt(scores.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask.bool() if mask.dim() < 3 else mask.bool()[:, None], -math.inf)
    y = scores.softmax(-1) @ V
    return y.permute(0, 2, 1, 3).reshape(q.shape) @ out_proj_weight.T
