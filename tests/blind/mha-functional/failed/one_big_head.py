"""Attention over all features at once.

Idea: num_heads is only used for the scale; the features are never split into heads.
Where: everywhere (with more than one head)
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    d_k = d_model // num_heads
    Q = q @ in_proj_weight[0:d_model].T
    K = k @ in_proj_weight[d_model:2 * d_model].T
    V = v @ in_proj_weight[2 * d_model:].T
    scores = torch.bmm(Q, K.transpose(1, 2)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask.bool(), -math.inf)
    return torch.bmm(torch.softmax(scores, dim=-1), V) @ out_proj_weight.T
