"""Multi-head attention that gives the mask an axis for the heads only if it does not fit already.

Idea: A mask whose first axis is as long as there are heads is taken for one mask per head.
Where: only when the mask has three axes and N equals num_heads
"""

import torch


def _fit(mask, scores):
    if mask.dim() == 2:
        return mask[None, None]
    if mask.shape[0] != scores.shape[1] or scores.shape[1] == 1:
        return mask.unsqueeze(1)
    return mask  # already (heads, L_q, L_k)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    Q = (q @ w_q.T).unflatten(2, (num_heads, -1)).permute(0, 2, 1, 3)
    K = (k @ w_k.T).unflatten(2, (num_heads, -1)).permute(0, 2, 3, 1)
    V = (v @ w_v.T).unflatten(2, (num_heads, -1)).permute(0, 2, 1, 3)
    scores = Q @ K / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(_fit(mask.bool(), scores), float("-inf"))
    return (scores.softmax(3) @ V).permute(0, 2, 1, 3).flatten(2) @ out_proj_weight.T
