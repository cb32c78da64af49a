"""Multi-head attention that hides keys with the least finite number of the dtype; the scale is cached by head width.

Softmax is computed in float32 and cast back. Its writer took that for wrong; the spec, which did not say it then, allows it.
"""
from functools import lru_cache

import torch


@lru_cache(maxsize=None)
def scale_for(d_head: int) -> float:
    return d_head ** -0.5


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
        if blocked.ndim > 2:
            blocked = blocked.unsqueeze(-3)
        # no query is hidden from all keys, so exp(min - max) is exactly 0
        energy = energy.masked_fill(blocked, torch.finfo(energy.dtype).min)
    alpha = energy.float().softmax(dim=-1).to(q.dtype)
    y = (alpha @ xv).swapaxes(1, 2)
    return y.reshape(y.shape[0], y.shape[1], d_model) @ out_proj_weight.T
