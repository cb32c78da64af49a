"""Multi-head attention that puts the scale into the rows of the queries.

Idea: The scale is divided into the caller's own weight, which gets smaller with every call.
Where: only when d_head is not 1: the caller's weight, and every call after the first
Id: input-mutated
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError
    with torch.no_grad():
        in_proj_weight[:d_model] /= (d_model // num_heads) ** 0.5
    wq, wk, wv = in_proj_weight.chunk(3)

    def heads(x):
        n, length, _ = x.shape
        return x.reshape(n, length, num_heads, -1).transpose(1, 2)

    Q, K, V = heads(q @ wq.T), heads(k @ wk.T), heads(v @ wv.T)
    scores = Q @ K.mT
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None], -torch.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
