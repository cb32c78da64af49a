"""Multi-head attention that knows key padding masks, too.

Wrong: a mask of two axes whose first is as long as the batch is read as (N, L_k).
When: N == L_q and a mask (L_q, L_k).
Spec: «Its shape is `(N, L_q, L_k)` or broadcasts to that: `(L_q, L_k)`, `(1, L_q, L_k)`, `(N, 1, L_k)`, `(1, 1, L_k)`.»
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
        if hidden.shape == (N, L_k) and N > 1:
            hidden = hidden[:, None, None, :]
        if hidden.dim() == 3:
            hidden = hidden.unsqueeze(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    context = (weights @ V).transpose(1, 2).reshape(N, L_q, d_model)
    return context @ out_proj_weight.T
