"""Multi-head attention that reshapes straight to (N, heads, L, d_head).

Wrong: a head gets parts of several tokens rather than its features of each.
When: more than one head and more than one token.
Spec: «head `h` owns features `h*d_head` to `(h+1)*d_head`.»
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
    Q = (q @ w_q.T).reshape(N, num_heads, L_q, d_head)
    K = (k @ w_k.T).reshape(N, num_heads, L_k, d_head)
    V = (v @ w_v.T).reshape(N, num_heads, L_k, d_head)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        hidden = mask.bool()
        if hidden.dim() == 3:
            hidden = hidden.unsqueeze(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    context = (weights @ V).reshape(N, L_q, d_model)
    return context @ out_proj_weight.T
