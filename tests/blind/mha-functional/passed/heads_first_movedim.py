"""Heads are moved to the very front, before the batch, so that every mask broadcasts by itself."""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head = d_model // num_heads
    assert d_head * num_heads == d_model, (d_model, num_heads)
    w_q, w_k, w_v = in_proj_weight.tensor_split(3)

    def project(x, w):
        return torch.movedim((x @ w.T).unflatten(2, (num_heads, d_head)), 2, 0)  # (h, n, l, d_head)

    scores = project(q, w_q) @ project(k, w_k).transpose(-2, -1)
    scores = scores / math.sqrt(d_head)
    if mask is not None:
        # (n, l_q, l_k), (l_q, l_k), (n, 1, l_k): all of them meet (h, n, l_q, l_k) from the right
        scores = scores.masked_fill(mask.bool(), -math.inf)
    out = torch.softmax(scores, dim=-1) @ project(v, w_v)
    return torch.movedim(out, 0, 2).flatten(2) @ out_proj_weight.T
