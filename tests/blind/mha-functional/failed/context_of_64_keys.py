"""Keeps the newest 64 keys only.

Idea: Keys further back than a fixed window are cut off, although the sequence may have any length.
Where: only when L_k is above 64
"""

import math

import torch

WINDOW = 64


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[..., -WINDOW:]
    k, v = k[:, -WINDOW:], v[:, -WINDOW:]
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = ((x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    scores = Q @ K.mT / math.sqrt(d_model // num_heads)
    if mask is not None:
        scores = scores.masked_fill(mask[:, None], torch.finfo(q.dtype).min)
    return (torch.softmax(scores, -1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
