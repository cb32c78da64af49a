"""Fills the scores in place through an index.

Idea: Only head 0 is masked; the other heads still see everything.
Where: only when a mask is given with more than one head
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("heads")
    n, lq, lk = q.shape[0], q.shape[1], k.shape[1]
    shape = (n, -1, num_heads, d_model // num_heads)
    Q = (q @ in_proj_weight[:d_model].T).view(shape).transpose(1, 2)
    K = (k @ in_proj_weight[d_model:2 * d_model].T).view(shape).transpose(1, 2)
    V = (v @ in_proj_weight[2 * d_model:].T).view(shape).transpose(1, 2)
    scores = Q @ K.mT / shape[-1] ** 0.5
    if mask is not None:
        scores[:, 0].masked_fill_(mask.bool().expand(n, lq, lk), float("-inf"))
    return (scores.softmax(-1) @ V).transpose(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
