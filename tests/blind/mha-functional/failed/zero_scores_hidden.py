"""Multiplies by the mask, then hides whatever is zero.

Idea: A score that is exactly 0 by itself is hidden too, as if the mask had made it 0.
Where: only with a mask and a visible score of exactly 0
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    N, A, B = q.shape[0], q.shape[1], k.shape[1]
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = ((x @ w.T).view(N, -1, num_heads, d_model // num_heads).transpose(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    s = Q @ K.mT / (d_model // num_heads) ** 0.5
    if mask is not None:
        visible = (mask == 0).to(s.dtype).expand(N, A, B).unsqueeze(1)
        s = s * visible
        s = s.masked_fill(s == 0, -1e12)
    return (s.softmax(-1) @ V).transpose(1, 2).reshape(N, A, d_model) @ out_proj_weight.T
