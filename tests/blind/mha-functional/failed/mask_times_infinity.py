"""The mask is turned into a bias by a product with infinity.

Idea: 0 times infinity is nan, so every key that may be seen spoils its row.
Where: only when a mask is given
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads")
    n, lq, lk = q.size(0), q.size(1), k.size(1)

    def proj(x, i):
        w = in_proj_weight.narrow(0, i * d_model, d_model)
        return (x @ w.T).reshape(n, x.size(1), num_heads, d_model // num_heads).swapaxes(1, 2)

    scores = proj(q, 0) @ proj(k, 1).swapaxes(2, 3) / (d_model // num_heads) ** 0.5
    if mask is not None:
        bias = mask.to(scores.dtype) * float("-inf")
        scores = scores + bias.expand(n, lq, lk).unsqueeze(1)
    return (scores.softmax(dim=-1) @ proj(v, 2)).swapaxes(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
