"""Leaves the check of the heads to view.

Idea: There is no check: a d_model that does not divide ends in the RuntimeError of view, not in one of the two exceptions asked for.
Where: only when num_heads does not divide d_model
Rule: divisibility-checked
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head = d_model // num_heads
    n, lq, lk = q.shape[0], q.shape[1], k.shape[1]
    Q = (q @ in_proj_weight[:d_model].T).view(n, lq, num_heads, d_head).transpose(1, 2)
    K = (k @ in_proj_weight[d_model:2 * d_model].T).view(n, lk, num_heads, d_head).transpose(1, 2)
    V = (v @ in_proj_weight[2 * d_model:].T).view(n, lk, num_heads, d_head).transpose(1, 2)
    s = Q @ K.mT / d_head ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(n, lq, lk).unsqueeze(1), float("-inf"))
    return (torch.softmax(s, -1) @ V).transpose(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
