"""Clamps the scores to keep the softmax stable.

Idea: Scores beyond 20 are cut off, so large scores become equal and lose their gradient.
Where: only for large scores
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wk, wv = in_proj_weight.chunk(3)
    heads = lambda x, w: (x @ w.T).view(x.shape[0], x.shape[1], num_heads, -1).swapaxes(1, 2)
    s = heads(q, wq) @ heads(k, wk).mT / (d_model // num_heads) ** 0.5
    s = s.clamp(-20.0, 20.0)
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(s.shape[0], *s.shape[2:])[:, None], float("-inf"))
    e = s.exp()
    return ((e / e.sum(-1, keepdim=True)) @ heads(v, wv)).swapaxes(1, 2).flatten(2) @ out_proj_weight.T
