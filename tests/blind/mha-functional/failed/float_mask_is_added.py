"""Follows the library in its habit with masks of floats.

Idea: A mask of floats is added to the scores; it should mean the same as a boolean one.
Where: only for masks of a float dtype
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads")
    dh = d_model // num_heads
    Wq, Wk, Wv = in_proj_weight.reshape(3, num_heads, dh, d_model)
    scores = torch.einsum("nad,hed,nbc,hec->nhab", q, Wq, k, Wk) / dh ** 0.5
    if mask is not None:
        mask = mask.expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1)
        if mask.is_floating_point():
            scores = scores + mask.to(scores.dtype)
        else:
            scores = scores.masked_fill(mask != 0, float("-inf"))
    return torch.einsum("nhab,nbc,hec->nahe", scores.softmax(-1), v, Wv).flatten(2) @ out_proj_weight.T
