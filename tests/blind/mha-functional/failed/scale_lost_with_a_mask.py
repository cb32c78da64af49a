"""Has one branch with a mask and one without.

Idea: The branch for masks forgets to divide by the square root of d_head.
Where: only when a mask is given (with d_head above 1)
Id: missing-scale
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    n, lq, lk, dh = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    W = in_proj_weight.reshape(3, num_heads, dh, d_model)
    Q = torch.einsum("nld,hed->nhle", q, W[0])
    K = torch.einsum("nld,hed->nhel", k, W[1])
    V = torch.einsum("nld,hed->nhle", v, W[2])
    if mask is None:
        weights = torch.softmax(Q @ K / dh ** 0.5, dim=-1)
    else:
        hidden = mask.bool().expand(n, lq, lk).unsqueeze(1)
        weights = torch.softmax((Q @ K).masked_fill(hidden, float("-inf")), dim=-1)
    return torch.einsum("nhqk,nhke->nqhe", weights, V).flatten(2) @ out_proj_weight.T
