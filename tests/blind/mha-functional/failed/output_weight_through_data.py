"""Multi-head attention that reads the last weight through .data.

Idea: The output projection uses the bare data of its weight, which gets no gradient.
Where: only the gradient of out_proj_weight
Id: detached-gradient
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_h = d_model // num_heads
    q_w, k_w, v_w = in_proj_weight.split(d_model, dim=0)
    Q = torch.matmul(q, q_w.mT).unflatten(-1, (num_heads, d_h)).movedim(-2, 1)
    K = torch.matmul(k, k_w.mT).unflatten(-1, (num_heads, d_h)).movedim(-2, 1)
    V = torch.matmul(v, v_w.mT).unflatten(-1, (num_heads, d_h)).movedim(-2, 1)
    scores = torch.matmul(Q, K.mT) / math.sqrt(d_h)
    if mask is not None:
        mask = mask.bool().expand(Q.size(0), Q.size(2), K.size(2)).unsqueeze(1)
        scores = torch.masked_fill(scores, mask, -math.inf)
    heads = torch.matmul(scores.softmax(dim=-1), V)
    return torch.matmul(heads.movedim(1, -2).flatten(-2), out_proj_weight.data.mT)
