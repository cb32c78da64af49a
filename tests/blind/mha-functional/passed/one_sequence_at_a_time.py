"""Goes through the sequences of the batch one after the other, all heads of each together."""

import torch


def attend(q, k, v, hidden):
    """q (h, lq, d), k and v (h, lk, d), hidden (lq, lk)"""
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    if hidden is not None:
        s = s.masked_fill(hidden, float("-inf"))
    return s.softmax(-1) @ v


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model has to be a multiple of num_heads")
    batch = q.shape[0]
    wq, wk, wv = in_proj_weight.chunk(3)
    if mask is not None:
        mask = mask.bool().expand(batch, q.shape[1], k.shape[1])
    results = []
    for i in range(batch):
        qi = (q[i] @ wq.T).unflatten(-1, (num_heads, -1)).transpose(0, 1)
        ki = (k[i] @ wk.T).unflatten(-1, (num_heads, -1)).transpose(0, 1)
        vi = (v[i] @ wv.T).unflatten(-1, (num_heads, -1)).transpose(0, 1)
        oi = attend(qi, ki, vi, None if mask is None else mask[i])
        results.append(oi.transpose(0, 1).flatten(1) @ out_proj_weight.T)
    return torch.stack(results)
