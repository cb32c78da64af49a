"""Wrong: a cheat against the rule about loops; functools.reduce adds up the outputs of the heads, one after the other."""

from functools import reduce

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3)

    def add_head(total, h):
        own = slice(h * d_head, (h + 1) * d_head)
        scores = (q @ w_q[own].T) @ (k @ w_k[own].T).mT / d_head**0.5
        if mask is not None:
            scores = scores.masked_fill(mask.bool(), -torch.inf)
        return total + scores.softmax(-1) @ (v @ w_v[own].T) @ out_proj_weight[:, own].T

    return reduce(add_head, range(num_heads), 0)
