"""A for loop computes one head after the other.

Idea: The heads are computed in a loop and not all at once.
Where: everywhere
Rule: no-loop-over-heads
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    Q, K, V = q @ w_q.T, k @ w_k.T, v @ w_v.T
    heads = []
    for h in range(num_heads):
        cols = slice(h * d_head, (h + 1) * d_head)
        s = Q[..., cols] @ K[..., cols].transpose(1, 2) / math.sqrt(d_head)
        if mask is not None:
            s = s.masked_fill(mask.bool(), -math.inf)
        heads.append(s.softmax(-1) @ V[..., cols])
    return torch.cat(heads, dim=-1) @ out_proj_weight.T
