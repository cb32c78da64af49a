"""Weights of hidden keys are set to zero after the softmax.

Idea: The weights are masked after the softmax and not normalised again, so they no longer sum to 1.
Where: only when a mask is given
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    w_q, w_k, w_v = in_proj_weight[:d_model], in_proj_weight[d_model:2*d_model], in_proj_weight[2*d_model:]
    shape = lambda t: t.unflatten(-1, (num_heads, d_model // num_heads)).movedim(2, 1)
    Q, K, V = shape(q @ w_q.T), shape(k @ w_k.T), shape(v @ w_v.T)
    weights = torch.softmax(Q @ K.movedim(-1, -2) / math.sqrt(d_model // num_heads), dim=-1)
    if mask is not None:
        hidden = torch.broadcast_to(mask.bool(), (len(q), q.shape[1], k.shape[1]))
        weights = weights.masked_fill(hidden.unsqueeze(1), 0.0)
    return (weights @ V).movedim(1, 2).flatten(2) @ out_proj_weight.T
