"""~ turns only booleans round: 0 and 1 become -1 and -2.
Diagnosis: mask-complemented-bits
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    Q = (q @ w_q.T).view(N, L_q, num_heads, d_head).transpose(1, 2)
    K = (k @ w_k.T).view(N, L_k, num_heads, d_head).transpose(1, 2)
    V = (v @ w_v.T).view(N, L_k, num_heads, d_head).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        mask = ~mask
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(~mask.bool(), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    out = (weights @ V).transpose(1, 2).reshape(N, L_q, d_model)
    return out @ out_proj_weight.T
