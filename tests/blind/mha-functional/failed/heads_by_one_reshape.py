"""Multi-head attention with matmul, the heads made by a single reshape.

Idea: A reshape straight to (N, heads, L, d_head) is taken for a split of the features into heads.
Where: everywhere
Id: reshape-before-transpose
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    Q = (q @ w_q.T).reshape(N, num_heads, L_q, d_head)
    K = (k @ w_k.T).reshape(N, num_heads, L_k, d_head)
    V = (v @ w_v.T).reshape(N, num_heads, L_k, d_head)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.bool().expand(N, L_q, L_k)[:, None]
        scores = scores.masked_fill(mask, float("-inf"))
    out = torch.softmax(scores, dim=-1) @ V
    return out.reshape(N, L_q, d_model) @ out_proj_weight.T
