"""Queries are worked off in blocks of eight to save memory."""

import math

import torch

BLOCK = 8


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    n, l_q, l_k = q.shape[0], q.shape[1], k.shape[1]
    shape = (n, -1, num_heads, d_model // num_heads)
    w_q, w_k, w_v = in_proj_weight.split(d_model)
    Q = (q @ w_q.T).view(shape).transpose(1, 2)
    K = (k @ w_k.T).view(shape).transpose(1, 2)
    V = (v @ w_v.T).view(shape).transpose(1, 2)
    if mask is not None:
        mask = mask.bool().expand(n, l_q, l_k)
    done = []
    for start in range(0, l_q, BLOCK):
        rows = slice(start, start + BLOCK)
        s = Q[:, :, rows] @ K.mT / math.sqrt(d_model // num_heads)
        if mask is not None:
            s = s.masked_fill(mask[:, None, rows], -math.inf)
        done.append(s.softmax(-1) @ V)
    out = torch.cat(done, dim=2)
    return out.transpose(1, 2).reshape(n, l_q, d_model) @ out_proj_weight.T
