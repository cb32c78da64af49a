"""Heads are pushed onto a pile and taken off from its top.

Idea: The heads are merged in reverse order.
Where: everywhere (with more than one head)
Id: head-order
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    Wq, Wk, Wv = torch.split(in_proj_weight, d_model)
    stack = lambda y: torch.stack(torch.split(y, d_head, dim=2))
    Q, K, V = stack(q @ Wq.T), stack(k @ Wk.T), stack(v @ Wv.T)
    S = Q @ K.mT / math.sqrt(d_head)
    if mask is not None:
        S = S.masked_fill(mask.bool(), -math.inf)
    heads = list(torch.softmax(S, -1) @ V)
    return torch.cat(heads[::-1], dim=-1) @ out_proj_weight.T
