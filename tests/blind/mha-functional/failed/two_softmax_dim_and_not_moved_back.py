"""A softmax over the wrong axis, and a merge without a transpose.

Idea: Two mistakes: the softmax runs over the queries, and the heads are not moved back before the merge.
Where: everywhere
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("heads")
    B, T, S = q.size(0), q.size(1), k.size(1)
    Q = (q @ in_proj_weight[:d_model].T).view(B, T, num_heads, -1).transpose(1, 2)
    K = (k @ in_proj_weight[d_model:2 * d_model].T).view(B, S, num_heads, -1).transpose(1, 2)
    V = (v @ in_proj_weight[2 * d_model:].T).view(B, S, num_heads, -1).transpose(1, 2)
    att = Q @ K.transpose(-1, -2) / math.sqrt(d_model // num_heads)
    if mask is not None:
        att = att.masked_fill(mask.bool().expand(B, T, S).unsqueeze(1), -1e9)
    return (torch.softmax(att, dim=-2) @ V).reshape(B, T, d_model) @ out_proj_weight.T
