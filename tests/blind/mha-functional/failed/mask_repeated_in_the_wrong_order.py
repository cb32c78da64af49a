"""Heads folded into the batch, and the mask repeated to fit.

Idea: repeat lays the sequences of the mask side by side, where each should be repeated for its own heads.
Where: only for masks that differ between sequences, with more than one sequence and more than one head
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("embed_dim must be divisible by num_heads")
    n, lq, lk, dh = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    fold = lambda x: x.view(n, -1, num_heads, dh).transpose(1, 2).reshape(n * num_heads, -1, dh)
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = fold(q @ wq.T), fold(k @ wk.T), fold(v @ wv.T)
    scores = torch.bmm(Q, K.transpose(1, 2)) / math.sqrt(dh)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(n, lq, lk).repeat(num_heads, 1, 1), -math.inf)
    out = torch.bmm(torch.softmax(scores, 2), V)
    return out.view(n, num_heads, lq, dh).transpose(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
