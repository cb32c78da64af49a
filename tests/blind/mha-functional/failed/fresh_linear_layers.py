"""Builds its own layers.

Idea: The projections are new layers with random weights; the weights that were given are not used.
Where: everywhere
"""

import math

import torch
from torch import nn


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    make = lambda: nn.Linear(d_model, d_model, bias=False).to(q.dtype)
    W_q, W_k, W_v, W_o = make(), make(), make(), make()
    n, lq, lk = q.size(0), q.size(1), k.size(1)
    Q = W_q(q).view(n, lq, num_heads, -1).transpose(1, 2)
    K = W_k(k).view(n, lk, num_heads, -1).transpose(1, 2)
    V = W_v(v).view(n, lk, num_heads, -1).transpose(1, 2)
    scores = Q @ K.transpose(2, 3) / math.sqrt(d_model // num_heads)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(n, lq, lk).unsqueeze(1), float("-inf"))
    out = torch.softmax(scores, -1) @ V
    return W_o(out.transpose(1, 2).reshape(n, lq, d_model))
