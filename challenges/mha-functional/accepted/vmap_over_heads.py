"""Attention of a single head, mapped over the heads by torch.vmap."""

import functools
import math

import torch


def one_head(w_q, w_k, w_v, *, q, k, v, hidden):
    scores = (q @ w_q.mT) @ (k @ w_k.mT).mT / math.sqrt(w_q.shape[0])
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    return torch.softmax(scores, dim=-1) @ (v @ w_v.mT)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("every head needs the same number of features")
    w_q, w_k, w_v = in_proj_weight.unflatten(0, (3, num_heads, -1))
    head = functools.partial(one_head, q=q, k=k, v=v, hidden=None if mask is None else mask.gt(0.5))
    heads = torch.vmap(head, out_dims=2)(w_q, w_k, w_v)
    return heads.flatten(2) @ out_proj_weight.mT
