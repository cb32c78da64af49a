"""Checks the heads where the mask is handled.

Idea: The check stands in the branch for masks, so a call without a mask is not checked.
Where: only when num_heads does not divide d_model and no mask is given
Rule: divisibility-checked
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if mask is not None:
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1)
    d_head = math.ceil(d_model / num_heads)
    heads = lambda x: torch.stack(x.split(d_head, dim=-1), dim=1)
    wq, wk, wv = in_proj_weight.split(d_model)
    s = heads(q @ wq.T) @ heads(k @ wk.T).mT / math.sqrt(d_head)
    if mask is not None:
        s = s.masked_fill(mask, -math.inf)
    return torch.cat((s.softmax(-1) @ heads(v @ wv.T)).unbind(1), dim=-1) @ out_proj_weight.T
