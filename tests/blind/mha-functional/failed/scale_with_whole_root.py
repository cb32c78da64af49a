"""Scales by math.isqrt.

Idea: isqrt rounds the root down, which is wrong when d_head is not a square.
Where: only when d_head is not a square number
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    def split(x, i):
        y = torch.matmul(x, in_proj_weight[i * d_model:(i + 1) * d_model].T)
        return y.unflatten(-1, (num_heads, d_head)).transpose(-2, -3)
    scores = torch.matmul(split(q, 0), split(k, 1).mT) / math.isqrt(d_head)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), -math.inf)
    return torch.matmul(scores.softmax(-1), split(v, 2)).transpose(-2, -3).flatten(-2) @ out_proj_weight.T
