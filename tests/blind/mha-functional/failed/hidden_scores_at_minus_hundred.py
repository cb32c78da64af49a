"""Fills hidden scores with -100.

Idea: -100 is not minus infinity: next to visible scores that are lower still, a hidden key wins.
Where: only with a mask and strongly negative scores
"""

import math

import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads != 0")
    q, k, v = (F.linear(x, w).unflatten(2, (num_heads, -1)).permute(0, 2, 1, 3) for x, w in zip((q, k, v), in_proj_weight.split(d_model)))
    scores = q @ k.permute(0, 1, 3, 2) / math.sqrt(q.shape[3])
    if mask is not None:
        scores = scores.masked_fill(mask.ne(0).expand(q.shape[0], q.shape[2], k.shape[2])[:, None], -100.0)
    return F.linear((scores.softmax(-1) @ v).permute(0, 2, 1, 3).flatten(2), out_proj_weight)
