"""Transposes the mask when it is square.

Idea: The mask is read as (key, query), so the wrong keys are hidden when L_q is L_k.
Where: only for masks (N, L_q, L_k) or (L_q, L_k) with L_q = L_k, unless they are symmetric
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    W = in_proj_weight.unflatten(0, (3, d_model))
    Q, K, V = ((x @ w.mT).unflatten(-1, (num_heads, -1)).movedim(2, 0) for x, w in zip((q, k, v), W))
    scores = torch.matmul(Q, K.mT) / math.sqrt(Q.shape[-1])
    if mask is not None:
        hidden = mask.bool()
        if hidden.ndim > 1 and hidden.shape[-1] == hidden.shape[-2]:
            hidden = hidden.mT
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    return torch.matmul(scores.softmax(-1), V).movedim(0, 2).flatten(2) @ out_proj_weight.T
