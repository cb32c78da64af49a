"""Attention whose scale is written with operators.

Idea: `d ** 1/2` is d divided by 2 and not the square root of d.
Where: everywhere except where d_head is 4
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d, r = divmod(d_model, num_heads)
    assert r == 0
    heads = lambda x, w: torch.einsum("nli,hei->nhle", x, w.reshape(num_heads, d, d_model))
    wq, wk, wv = in_proj_weight.split(d_model)
    s = torch.einsum("nhqe,nhke->nhqk", heads(q, wq), heads(k, wk)) / d ** 1/2
    if mask is not None:
        s = torch.where((mask.bool() | torch.zeros_like(s[:, 0], dtype=torch.bool)).unsqueeze(1), -torch.inf, s)
    o = torch.einsum("nhqk,nhke->nqhe", s.softmax(-1), heads(v, wv))
    return o.flatten(2) @ out_proj_weight.T
