"""Applies the mask only when it is boolean.

Idea: Masks of 0 and 1 in another dtype than bool are silently ignored.
Where: only for masks of integers or floats
"""

import math

import torch


class Heads:
    def __init__(self, n):
        self.n = n

    def split(self, x):
        return x.unflatten(-1, (self.n, -1)).transpose(1, 2)

    def merge(self, x):
        return x.transpose(1, 2).flatten(2)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError(num_heads)
    heads = Heads(num_heads)
    wq, wk, wv = in_proj_weight.split(d_model)
    Q, K, V = heads.split(q @ wq.T), heads.split(k @ wk.T), heads.split(v @ wv.T)
    scores = Q @ K.mT / math.sqrt(d_model // num_heads)
    if mask is not None and mask.dtype is torch.bool:
        scores = scores.masked_fill(mask.expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), -math.inf)
    return heads.merge(scores.softmax(-1) @ V) @ out_proj_weight.T
