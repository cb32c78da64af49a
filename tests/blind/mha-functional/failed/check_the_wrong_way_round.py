"""Checks the two numbers in the wrong order.

Idea: num_heads % d_model is 0 only for strange sizes, so the check is turned into one that only refuses too many heads.
Where: only when num_heads is below d_model and does not divide it
Rule: divisibility-checked
"""

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if num_heads % d_model != num_heads and num_heads != d_model:
        raise ValueError("d_model must be divisible by num_heads")
    Q, K, V = (F.linear(x, w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    s = Q @ K.mT / math.sqrt(d_model // num_heads)
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None], -math.inf)
    return F.linear((torch.softmax(s, -1) @ V).transpose(1, 2).flatten(2), out_proj_weight)
