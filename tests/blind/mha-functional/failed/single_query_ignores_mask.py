"""A single query gets no mask, as when one token is generated.

Idea: With one query the mask is skipped, although it may still hide keys.
Where: only with one query and a mask
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    if q.shape[1] == 1:
        mask = None                      # decoding: the newest token sees everything
    W = in_proj_weight.unflatten(0, (3, num_heads, -1))
    Q = torch.einsum("nld,hed->hnle", q, W[0])
    K = torch.einsum("nld,hed->hnle", k, W[1])
    V = torch.einsum("nld,hed->hnle", v, W[2])
    S = Q @ K.transpose(-1, -2) / math.sqrt(d_model // num_heads)
    if mask is not None:
        S = S.masked_fill(mask.bool(), -math.inf)
    return (S.softmax(-1) @ V).permute(1, 2, 0, 3).flatten(2) @ out_proj_weight.T
