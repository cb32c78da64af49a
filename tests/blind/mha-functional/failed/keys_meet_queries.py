"""Scores are keys times queries.

Idea: Keys and queries have changed places in the product of scores: each key looks at the queries.
Where: everywhere (where L_q and L_k are equal; other lengths stop with an error)
Id: qk-swapped
"""

import math


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    n, lq, lk = q.shape[0], q.shape[1], k.shape[1]
    Q = (q @ in_proj_weight[:d_model].T).reshape(n, lq, num_heads, -1).permute(0, 2, 1, 3)
    K = (k @ in_proj_weight[d_model:2 * d_model].T).reshape(n, lk, num_heads, -1).permute(0, 2, 1, 3)
    V = (v @ in_proj_weight[2 * d_model:].T).reshape(n, lk, num_heads, -1).permute(0, 2, 1, 3)
    scores = K @ Q.transpose(-2, -1) / math.sqrt(d_model // num_heads)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(n, lq, lk).unsqueeze(1), -math.inf)
    out = scores.softmax(-1) @ V
    return out.permute(0, 2, 1, 3).reshape(n, lq, d_model) @ out_proj_weight.T
