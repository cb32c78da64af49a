"""Heads are cut with the head axis last.

Idea: Head h takes every num_heads-th feature instead of a block of neighbours.
Where: everywhere (with 1 < num_heads < d_model)
Id: head-order
"""

import math

from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("heads must divide features")
    wq, wk, wv = in_proj_weight.chunk(3)
    cut = lambda x: rearrange(x, "n l (e h) -> n h l e", h=num_heads)
    Q, K, V = cut(q @ wq.T), cut(k @ wk.T), cut(v @ wv.T)
    S = Q @ rearrange(K, "n h l e -> n h e l") / math.sqrt(Q.shape[-1])
    if mask is not None:
        m = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])
        S = S.masked_fill(rearrange(m, "n q k -> n () q k"), -math.inf)
    return rearrange(S.softmax(-1) @ V, "n h l e -> n l (e h)") @ out_proj_weight.T
