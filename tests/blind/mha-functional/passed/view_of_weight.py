"""Cuts the weights with view, which may always split the first axis (its author thought it fails on some)."""
import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    n, l_q, l_k = q.shape[0], q.shape[1], k.shape[1]
    w_q, w_k, w_v = in_proj_weight.view(3, d_model, d_model)
    Q = F.linear(q, w_q).reshape(n, l_q, num_heads, d_head).transpose(1, 2)
    K = F.linear(k, w_k).reshape(n, l_k, num_heads, d_head).transpose(1, 2)
    V = F.linear(v, w_v).reshape(n, l_k, num_heads, d_head).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        hidden = mask.to(torch.bool).unsqueeze(-3)
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    out = (weights @ V).transpose(1, 2).reshape(n, l_q, d_model)
    return F.linear(out, out_proj_weight)
