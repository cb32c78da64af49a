"""The input weight is reshaped so that rows of q, k and v alternate.

Idea: Rows 0, 3, 6 and so on are taken for the queries, instead of the first d_model rows.
Where: everywhere (with d_model above 1)
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model is not divisible by num_heads")
    wq, wk, wv = in_proj_weight.reshape(d_model, 3, d_model).unbind(1)
    n, a, b, e = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    Q = (q @ wq.T).view(n, a, num_heads, e).transpose(1, 2)
    K = (k @ wk.T).view(n, b, num_heads, e).transpose(1, 2)
    V = (v @ wv.T).view(n, b, num_heads, e).transpose(1, 2)
    bias = 0.0 if mask is None else torch.where(mask.bool(), float("-inf"), 0.0).to(q.dtype).expand(n, a, b)[:, None]
    P = (Q @ K.mT / e**0.5 + bias).softmax(-1)
    return (P @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
