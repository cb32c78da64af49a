"""A loop over the heads with the scale of the whole model.

Idea: Two mistakes: the heads run in a loop, and the scale is the square root of d_model.
Where: everywhere
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads != 0")
    w = in_proj_weight.reshape(3, num_heads, -1, d_model)
    outs = [
        ((q @ wq.T @ (k @ wk.T).mT / d_model ** 0.5).masked_fill(
            torch.tensor(False) if mask is None else mask.bool(), -torch.inf).softmax(-1) @ (v @ wv.T))
        for wq, wk, wv in zip(*w)
    ]
    return torch.concat(outs, -1) @ out_proj_weight.T
