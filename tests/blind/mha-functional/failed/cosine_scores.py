"""Scores are cosines.

Idea: Queries and keys are brought to length 1 first, which is another attention than the one asked for.
Where: everywhere
"""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    shape = (q.size(0), -1, num_heads, d_model // num_heads)
    wq, wk, wv = in_proj_weight.split(d_model, dim=0)
    Q = F.normalize(F.linear(q, wq).reshape(shape), dim=-1).transpose(1, 2)
    K = F.normalize(F.linear(k, wk).reshape(shape), dim=-1).transpose(1, 2)
    V = F.linear(v, wv).reshape(shape).transpose(1, 2)
    scores = Q @ K.mT / shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.size(0), q.size(1), k.size(1)).unsqueeze(1), float("-inf"))
    return F.linear((scores.softmax(-1) @ V).transpose(1, 2).flatten(2), out_proj_weight)
