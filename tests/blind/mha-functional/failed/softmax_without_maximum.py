"""exp divided by its sum.

Idea: The softmax does not take off the maximum, and overflows to nan for large scores.
Where: only for large scores
Id: unstable-softmax
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    h, e = num_heads, d_model // num_heads
    W = in_proj_weight.reshape(3, h, e, d_model)
    Q = torch.einsum("nld,hed->nhle", q, W[0])
    K = torch.einsum("nld,hed->nhle", k, W[1])
    V = torch.einsum("nld,hed->nhle", v, W[2])
    weights = torch.exp(torch.einsum("nhae,nhbe->nhab", Q, K) / math.sqrt(e))
    if mask is not None:
        weights = weights * (mask == 0).expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1)
    weights = weights / weights.sum(-1, keepdim=True)
    return torch.einsum("nhab,nhbe->nahe", weights, V).flatten(2) @ out_proj_weight.T
