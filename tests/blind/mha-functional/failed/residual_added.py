"""Attention as it stands in a block of a transformer.

Idea: The input q is added to the result; a residual connection belongs to the block and not to attention.
Where: everywhere
"""

import torch
import torch.nn.functional as F


def _attn(q, k, v, m):
    w = q @ k.mT * q.shape[-1] ** -0.5
    w = w if m is None else torch.where(m, -torch.inf, w)
    return F.softmax(w, -1) @ v


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    residual = q
    sp = lambda x: x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    wq, wk, wv = in_proj_weight.chunk(3)
    m = None if mask is None else mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1)
    out = _attn(sp(F.linear(q, wq)), sp(F.linear(k, wk)), sp(F.linear(v, wv)), m)
    return residual + F.linear(out.transpose(1, 2).flatten(2), out_proj_weight)
