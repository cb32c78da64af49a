"""Squeezes the result at the end.

Idea: squeeze() drops every axis of size 1, so the result loses its batch or its tokens.
Where: only when N, L_q or d_model is 1
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = ((x @ w.T).reshape(x.shape[0], x.shape[1], num_heads, -1).permute(2, 0, 1, 3) for x, w in ((q, wq), (k, wk), (v, wv)))
    s = Q @ K.mT / math.sqrt(d_model // num_heads)
    if mask is not None:
        s = s.masked_fill(mask.bool(), -math.inf)
    out = (s.softmax(-1) @ V).permute(1, 2, 0, 3).flatten(2) @ out_proj_weight.T
    return out.squeeze()
