"""Reads a mask of two axes as padding when its first axis is as long as the batch.

Idea: A mask (L_q, L_k) is taken for a padding mask (N, L_k) when L_q happens to be N.
Where: only for masks of two axes when L_q equals N
"""

import math

from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    wq, wk, wv = rearrange(in_proj_weight, "(three o) i -> three i o", three=3)
    Q, K, V = (rearrange(x @ w, "n l (h e) -> n h l e", h=num_heads) for x, w in zip((q, k, v), (wq, wk, wv)))
    s = Q @ rearrange(K, "n h l e -> n h e l") / math.sqrt(d_model // num_heads)
    if mask is not None:
        mask = mask.bool()
        if mask.ndim == 2 and mask.shape[0] == q.shape[0]:
            mask = rearrange(mask, "n k -> n 1 1 k")      # padding
        elif mask.ndim == 3:
            mask = rearrange(mask, "n q k -> n 1 q k")
        s = s.masked_fill(mask, -math.inf)
    return rearrange(s.softmax(-1) @ V, "n h l e -> n l (h e)") @ out_proj_weight.T
