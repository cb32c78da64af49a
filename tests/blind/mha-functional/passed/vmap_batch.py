"""A right answer of the seventh corpus."""
from functools import partial

import torch
from torch.func import vmap


def _one(q, k, v, hidden, num_heads, w_in, w_out):
    """(L_q, d), (L_k, d), (L_k, d) -> (L_q, d)"""
    d = q.shape[-1]
    wq, wk, wv = w_in.reshape(3, d, d).unbind(0)
    qh = (q @ wq.T).reshape(q.shape[0], num_heads, -1).transpose(0, 1)
    kh = (k @ wk.T).reshape(k.shape[0], num_heads, -1).transpose(0, 1)
    vh = (v @ wv.T).reshape(v.shape[0], num_heads, -1).transpose(0, 1)
    s = qh @ kh.transpose(1, 2) / qh.shape[-1] ** 0.5
    s = s.masked_fill(hidden, float("-inf"))
    o = torch.softmax(s, dim=2) @ vh
    return o.transpose(0, 1).reshape(q.shape[0], d) @ w_out.T


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise AssertionError("the heads do not fit")
    n, lq, lk = q.size(0), q.size(1), k.size(1)
    if mask is None:
        mask = torch.zeros(1, 1, 1, dtype=torch.bool, device=q.device)
    hidden = mask.bool().expand(n, lq, lk)
    f = partial(_one, num_heads=num_heads, w_in=in_proj_weight, w_out=out_proj_weight)
    return vmap(f)(q, k, v, hidden)
