"""Projects the values from the tensor of the keys.

Idea: v is never read: the values are projected from k.
Where: only when v differs from k
"""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    query = F.linear(q, in_proj_weight[:d_model])
    key, value = F.linear(k, in_proj_weight[d_model:]).chunk(2, dim=-1)
    query, key, value = (x.unflatten(-1, (num_heads, -1)).transpose(1, 2) for x in (query, key, value))
    scores = query.matmul(key.mT) / query.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(scores.size(0), *scores.shape[2:]).unsqueeze(1), float("-inf"))
    return F.linear(scores.softmax(-1).matmul(value).transpose(1, 2).flatten(2) + 0 * v.sum(), out_proj_weight)
