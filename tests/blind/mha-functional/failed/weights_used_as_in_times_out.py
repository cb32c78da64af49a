"""Multi-head attention that multiplies by the weight blocks as they come.

Idea: The weights are used as (in, out), so x is multiplied by W and not by W transposed.
Where: everywhere
Id: weights-not-transposed
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    heads = []
    for x, w in ((q, in_proj_weight[:d_model]), (k, in_proj_weight[d_model : 2 * d_model]), (v, in_proj_weight[2 * d_model :])):
        y = torch.matmul(x, w)
        heads.append(y.view(y.size(0), y.size(1), num_heads, d_head).permute(0, 2, 1, 3))
    Q, K, V = heads
    scores = torch.matmul(Q, K.permute(0, 1, 3, 2)) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.bool().expand(scores.size(0), scores.size(2), scores.size(3)).unsqueeze(1)
        scores = scores.masked_fill(mask, -math.inf)
    z = torch.matmul(scores.softmax(-1), V).permute(0, 2, 1, 3).reshape(q.shape)
    return torch.matmul(z, out_proj_weight)
