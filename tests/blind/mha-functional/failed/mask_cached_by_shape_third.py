"""Multi-head attention that hides keys with the least finite number of the dtype; the scale is cached by head width.

Wrong: the boolean mask is kept by shape, so a second call with the same sizes gets the first call's mask.
Condition: a second call with a mask of the same shape and other contents.
Spec: "Values on inputs drawn anew for each submission"
"""
from functools import lru_cache

import torch


@lru_cache(maxsize=None)
def scale_for(d_head: int) -> float:
    return d_head ** -0.5


_BLOCKED = {}


def heads_first(t, n_heads):
    b, s, e = t.shape
    return t.reshape(b, s, n_heads, e // n_heads).swapaxes(1, 2)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model / num_heads is not whole")
    wq, wk, wv = in_proj_weight.tensor_split(3)
    xq = heads_first(q @ wq.T, num_heads) * scale_for(d_model // num_heads)
    xk = heads_first(k @ wk.T, num_heads)
    xv = heads_first(v @ wv.T, num_heads)
    energy = xq @ xk.swapaxes(-1, -2)
    if mask is not None:
        blocked = mask > 0.5 if mask.is_floating_point() else mask.bool()
        blocked = _BLOCKED.setdefault(tuple(blocked.shape), blocked.clone())
        if blocked.ndim > 2:
            blocked = blocked.unsqueeze(-3)
        # no query is hidden from all keys, so exp(min - max) is exactly 0
        energy = energy.masked_fill(blocked, torch.finfo(energy.dtype).min)
    alpha = energy.softmax(dim=-1)
    y = (alpha @ xv).swapaxes(1, 2)
    return y.reshape(y.shape[0], y.shape[1], d_model) @ out_proj_weight.T
