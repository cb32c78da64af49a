"""Scores are made together, but values and output are added up head by head.

Idea: The second half of attention runs in a loop over the heads.
Where: everywhere
Rule: no-loop-over-heads
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    d = d_model // num_heads
    shape = lambda x: x.unflatten(-1, (num_heads, d)).transpose(1, 2)
    Q, K, V = (shape(x @ w.T) for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    s = Q @ K.mT / math.sqrt(d)
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), -math.inf)
    p = s.softmax(-1)
    h, total = 0, torch.zeros_like(q)
    while h < num_heads:
        total = total + p[:, h] @ V[:, h] @ out_proj_weight[:, h * d:(h + 1) * d].T
        h += 1
    return total
