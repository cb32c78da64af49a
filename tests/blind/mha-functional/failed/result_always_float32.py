"""Returns float32 whatever comes in.

Idea: The result is cast to float32, although it should have the dtype of q.
Where: only for inputs other than float32
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    q, k, v, w_in, w_out = (t.float() for t in (q, k, v, in_proj_weight, out_proj_weight))
    wq, wk, wv = w_in.split(d_model)
    Q, K, V = ((x @ w.T).unflatten(-1, (num_heads, -1)).movedim(-2, 1) for x, w in zip((q, k, v), (wq, wk, wv)))
    s = Q @ K.mT / math.sqrt(Q.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), -math.inf)
    return (s.softmax(-1) @ V).movedim(1, -2).flatten(2) @ w_out.T
