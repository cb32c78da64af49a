"""Masks of floats are added, and the heads are not checked.

Idea: Two mistakes: a float mask is added to the scores, and a d_model that does not divide is cut down in silence.
Where: only for masks of a float dtype, and when num_heads does not divide d_model
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    e = max(d_model // num_heads, 1)
    cut = lambda x: x[..., :num_heads * e].unflatten(-1, (-1, e)).transpose(1, 2)
    wq, wk, wv = in_proj_weight.chunk(3)
    s = cut(q @ wq.T) @ cut(k @ wk.T).mT / e ** 0.5
    if mask is not None:
        mask = mask.expand(q.shape[0], q.shape[1], k.shape[1])[:, None]
        s = s + mask.to(s.dtype) if mask.is_floating_point() else s.masked_fill(mask.bool(), -torch.inf)
    y = (s.softmax(-1) @ cut(v @ wv.T)).transpose(1, 2).flatten(2)
    return y @ out_proj_weight[:, :y.shape[-1]].T
