"""Exponentials of hidden keys are set to zero before the sum is taken."""

import math

import torch


def masked_softmax(scores, hidden):
    if hidden is None:
        hidden = torch.zeros_like(scores, dtype=torch.bool)
    top = scores.detach().masked_fill(hidden, -math.inf).amax(dim=-1, keepdim=True)
    # hidden scores can be higher than the top of the visible ones, so they go to 0 before exp
    shifted = (scores - top).masked_fill(hidden, 0.0)
    e = torch.exp(shifted) * (~hidden).to(scores.dtype)
    return e / e.sum(dim=-1, keepdim=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "heads"
    n, lq = q.shape[:2]
    lk = k.shape[1]
    w_q, w_k, w_v = in_proj_weight.vsplit(3)
    Q = (q @ w_q.T).view(n, lq, num_heads, -1).transpose(1, 2)
    K = (k @ w_k.T).view(n, lk, num_heads, -1).transpose(1, 2)
    V = (v @ w_v.T).view(n, lk, num_heads, -1).transpose(1, 2)
    scores = Q @ K.mT / math.sqrt(d_model // num_heads)
    hidden = None if mask is None else mask.bool().expand(n, lq, lk).unsqueeze(1).expand_as(scores)
    out = masked_softmax(scores, hidden) @ V
    return out.transpose(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
