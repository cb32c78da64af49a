"""Writes minus infinity into the mask and adds it.

Idea: The mask of the caller is overwritten when it already has the dtype of the scores, because .to() makes no copy then.
Where: only the mask argument, when it has the dtype of q
Id: input-mutated
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    heads = lambda x, w: (x @ w.T).unflatten(-1, (num_heads, d_model // num_heads)).transpose(1, 2)
    wq, wk, wv = in_proj_weight.split(d_model)
    scores = heads(q, wq) @ heads(k, wk).mT / math.sqrt(d_model // num_heads)
    if mask is not None:
        bias = mask.to(scores.dtype)
        bias[bias == 1] = -math.inf
        scores = scores + bias.expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1)
    return (scores.softmax(-1) @ heads(v, wv)).transpose(1, 2).flatten(2) @ out_proj_weight.T
