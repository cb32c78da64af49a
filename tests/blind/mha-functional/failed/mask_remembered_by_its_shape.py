"""Multi-head attention that prepares each mask once and keeps it.

Idea: The prepared mask is kept under its shape alone, so that another mask of this shape is never looked at.
Where: only when an earlier call had another mask of the same shape
Id: stale-cache
"""

import torch

_prepared = {}


def _hidden(mask, n, lq, lk):
    key = (tuple(mask.shape), n, lq, lk)
    if key not in _prepared:
        _prepared[key] = mask.detach().clone().bool().expand(n, lq, lk).unsqueeze(1)
    return _prepared[key]


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be a multiple of num_heads")
    Q, K, V = (
        (x @ w.T).reshape(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)
        for x, w in zip((q, k, v), in_proj_weight.chunk(3))
    )
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(_hidden(mask, q.shape[0], q.shape[1], k.shape[1]), -torch.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
