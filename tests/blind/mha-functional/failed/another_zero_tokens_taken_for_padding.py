"""Multi-head attention that finds padding by itself.

Wrong: a key of zeros is hidden without a mask that says so.
When: a token of k is all zeros.
Spec: «A token may be all zeros.»
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    Q = (q @ w_q.T).reshape(N, L_q, num_heads, d_head).transpose(1, 2)
    K = (k @ w_k.T).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    V = (v @ w_v.T).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        hidden = mask.bool()
        if hidden.dim() == 3:
            hidden = hidden.unsqueeze(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    padding = (k == 0).all(dim=-1)
    padding = padding & ~padding.all(dim=-1, keepdim=True)
    scores = scores.masked_fill(padding[:, None, None, :], -1e9)
    weights = torch.softmax(scores, dim=-1)
    context = (weights @ V).transpose(1, 2).reshape(N, L_q, d_model)
    return context @ out_proj_weight.T
