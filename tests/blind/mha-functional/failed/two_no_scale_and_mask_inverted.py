"""Attention without a scale and with the mask read the other way.

Idea: Two mistakes: the scores are not scaled, and a 1 in the mask is taken as "may look".
Where: everywhere
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = ((x @ w.T).unflatten(-1, (num_heads, -1)).movedim(2, 1) for x, w in zip((q, k, v), (wq, wk, wv)))
    s = Q @ K.mT
    if mask is not None:
        visible = mask.bool().expand(q.size(0), q.size(1), k.size(1))
        s = torch.where(visible.unsqueeze(1), s, -1e20)
    return (s.softmax(-1) @ V).movedim(1, 2).flatten(2) @ out_proj_weight.T
