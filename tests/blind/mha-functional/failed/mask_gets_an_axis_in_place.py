"""Gives the mask its axis for the heads in place.

Idea: unsqueeze_ changes the mask of the caller, who gets it back with four axes.
Where: only the mask argument, when it has three axes
Id: input-mutated
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    n, lq, lk = q.size(0), q.size(1), k.size(1)
    if mask is not None and mask.dim() == 3:
        mask.unsqueeze_(1)
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = (q @ wq.T).view(n, lq, num_heads, -1).transpose(1, 2)
    K = (k @ wk.T).view(n, lk, num_heads, -1).transpose(1, 2)
    V = (v @ wv.T).view(n, lk, num_heads, -1).transpose(1, 2)
    s = torch.einsum("nhid,nhjd->nhij", Q, K) / (d_model // num_heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.bool(), float("-inf"))
    return torch.einsum("nhij,nhjd->nihd", s.softmax(-1), V).reshape(n, lq, d_model) @ out_proj_weight.T
