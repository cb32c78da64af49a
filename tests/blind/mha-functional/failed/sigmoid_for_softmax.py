"""Each key is weighed on its own.

Idea: A sigmoid gives each key its own weight; the weights of a query do not sum to 1 as they do after a softmax.
Where: everywhere
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    w = in_proj_weight.reshape(3, d_model, d_model).transpose(1, 2)
    parts = [(x @ w[i]).unflatten(2, (num_heads, -1)).swapaxes(1, 2) for i, x in enumerate([q, k, v])]
    s = parts[0] @ parts[1].swapaxes(2, 3) / math.sqrt(parts[0].shape[-1])
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), -math.inf)
    return (torch.sigmoid(s) @ parts[2]).swapaxes(1, 2).flatten(2) @ out_proj_weight.T
