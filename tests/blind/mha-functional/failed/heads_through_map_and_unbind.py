"""Multi-head attention where map calls one attention for every head.

Idea: The heads are computed one after the other: map over unbound heads is a loop as well.
Where: everywhere
Rule: no-loop-over-heads
"""

from functools import partial

import torch


def one_head(Q, K, V, hidden=None):
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    if hidden is not None:
        s = s.masked_fill(hidden, -torch.inf)
    return s.softmax(-1) @ V


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads does not divide d_model")
    hidden = None if mask is None else mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])
    wq, wk, wv = in_proj_weight.chunk(3)
    pieces = [(x @ w.T).unflatten(-1, (num_heads, -1)).unbind(-2) for x, w in ((q, wq), (k, wk), (v, wv))]
    return torch.cat(tuple(map(partial(one_head, hidden=hidden), *pieces)), dim=-1) @ out_proj_weight.T
