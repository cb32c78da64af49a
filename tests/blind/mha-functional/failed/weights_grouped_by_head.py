"""The input weight is read as heads first, then q, k and v.

Idea: The rows are read as one group of q, k, v per head, although they are one block for q, one for k, one for v.
Where: everywhere (with more than one head)
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    per_head = in_proj_weight.reshape(num_heads, 3 * d_head, d_model)
    w_q, w_k, w_v = per_head.split(d_head, dim=1)
    # (n, 1, l, d) @ (h, d, e) -> (n, h, l, e)
    Q = q.unsqueeze(1) @ w_q.transpose(1, 2)
    K = k.unsqueeze(1) @ w_k.transpose(1, 2)
    V = v.unsqueeze(1) @ w_v.transpose(1, 2)
    scores = Q @ K.transpose(2, 3) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.bool() if mask.dim() < 3 else mask.bool().unsqueeze(1)
        scores = scores.masked_fill(mask, -math.inf)
    out = torch.softmax(scores, dim=-1) @ V
    return out.transpose(1, 2).flatten(2) @ out_proj_weight.T
