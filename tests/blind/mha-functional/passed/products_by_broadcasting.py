"""No matrix product for the scores: multiply with extra axes and sum."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("bad number of heads")
    d_head = d_model // num_heads
    q = (q @ in_proj_weight[:d_model].T).unflatten(-1, (num_heads, d_head))          # n i h d
    k = (k @ in_proj_weight[d_model:2 * d_model].T).unflatten(-1, (num_heads, d_head))  # n j h d
    v = (v @ in_proj_weight[2 * d_model:].T).unflatten(-1, (num_heads, d_head))
    scores = (q[:, :, None] * k[:, None]).sum(-1) / d_head ** 0.5                    # n i j h
    if mask is not None:
        scores = scores.masked_fill(mask.bool()[..., None], float("-inf"))
    weights = scores.softmax(dim=2)
    mixed = (weights[..., None] * v[:, None]).sum(dim=2)                             # n i h d
    return mixed.flatten(2) @ out_proj_weight.T
