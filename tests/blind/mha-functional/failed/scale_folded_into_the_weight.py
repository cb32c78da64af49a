"""Scales the query block of the weight in place.

Idea: The caller's input weight is scaled through .data, and is smaller after each call.
Where: only the argument in_proj_weight (and every later call with it)
Id: input-mutated
"""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    wq, wk, wv = in_proj_weight.chunk(3)
    wq.data.mul_((d_model // num_heads) ** -0.5)      # cheaper than scaling all scores
    Q, K, V = (F.linear(x, w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), (wq, wk, wv)))
    s = Q @ K.mT
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), float("-inf"))
    return F.linear((s.softmax(-1) @ V).transpose(1, 2).flatten(2), out_proj_weight)
