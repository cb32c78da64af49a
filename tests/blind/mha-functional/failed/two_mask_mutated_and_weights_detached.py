"""Turns the mask round in place, and copies the weights.

Idea: Two mistakes: the mask of the caller is inverted in place, and detached copies of the weights get no gradient.
Where: only the mask argument, and the gradient of both weights
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    w_in, w_out = in_proj_weight.clone().detach(), out_proj_weight.clone().detach()
    Q, K, V = ((x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), w_in.chunk(3)))
    s = Q @ K.mT / math.sqrt(d_model // num_heads)
    if mask is not None:
        visible = mask.logical_not_()
        visible = visible.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1)
        s = torch.where(visible, s, -math.inf)
    return (torch.softmax(s, -1) @ V).transpose(1, 2).flatten(2) @ w_out.T
