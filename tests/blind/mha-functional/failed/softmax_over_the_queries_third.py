"""Multi-head attention in plain torch: chunk, view, transpose, masked_fill, softmax.

Wrong: softmax runs over the query axis.
Condition: always with more than one token.
Spec: "softmax over the keys"
"""
import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head = d_model // num_heads
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)

    Q = (q @ w_q.T).view(N, L_q, num_heads, d_head).transpose(1, 2)
    K = (k @ w_k.T).view(N, L_k, num_heads, d_head).transpose(1, 2)
    V = (v @ w_v.T).view(N, L_k, num_heads, d_head).transpose(1, 2)

    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.bool()
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask, float("-inf"))
    attn = torch.softmax(scores, dim=-2)
    out = (attn @ V).transpose(1, 2).reshape(N, L_q, d_model)
    return out @ out_proj_weight.T
