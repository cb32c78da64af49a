"""Computes the scale once and keeps it in a global.

Idea: The scale of the first call is used for every later call, also with another d_head.
Where: only when a later call has another d_head than the first
Id: stale-cache
"""

import math

import torch

SCALE = None


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    global SCALE
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    if SCALE is None:
        SCALE = 1 / math.sqrt(d_model // num_heads)
    B, T, S = q.shape[0], q.shape[1], k.shape[1]
    q = torch.nn.functional.linear(q, in_proj_weight[:d_model]).view(B, T, num_heads, -1).transpose(1, 2)
    k = torch.nn.functional.linear(k, in_proj_weight[d_model:2 * d_model]).view(B, S, num_heads, -1).transpose(1, 2)
    v = torch.nn.functional.linear(v, in_proj_weight[2 * d_model:]).view(B, S, num_heads, -1).transpose(1, 2)
    scores = q @ k.transpose(-2, -1) * SCALE
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(B, T, S).unsqueeze(1), float("-inf"))
    return torch.nn.functional.linear((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, d_model), out_proj_weight)
