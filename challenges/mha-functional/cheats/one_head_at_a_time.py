"""A loop over the heads, as the formula of the paper seems to ask for."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    width = d_model // num_heads
    heads = []
    for start in range(0, d_model, width):
        rows = slice(start, start + width)
        scores = (q @ w_q[rows].T) @ (k @ w_k[rows].T).mT / width**0.5
        if mask is not None:
            scores = scores.masked_fill(mask.bool(), float("-inf"))
        heads.append(scores.softmax(-1) @ (v @ w_v[rows].T))
    return torch.cat(heads, dim=-1) @ out_proj_weight.T
