"""Multi-head attention with helper functions split and merge.

Idea: The heads are merged by a reshape although they still stand before the tokens.
Where: everywhere
Id: missing-transpose-back
"""

import torch
import torch.nn.functional as F


def split(x, h):
    return x.unflatten(-1, (h, -1)).transpose(1, 2)


def merge(x):
    n, h, length, d = x.shape
    return x.contiguous().view(n, length, h * d)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    Q, K, V = (split(F.linear(x, w), num_heads) for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    scores = Q @ K.mT / K.shape[-1] ** 0.5
    if mask is not None:
        full = mask.bool().broadcast_to(len(q), q.shape[1], k.shape[1])
        scores = scores.masked_fill(full.unsqueeze(1), -torch.inf)
    return F.linear(merge(scores.softmax(-1) @ V), out_proj_weight)
