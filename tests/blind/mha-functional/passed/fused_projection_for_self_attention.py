"""One fused projection when q, k and v are the same object, three otherwise."""

import math

import torch
import torch.nn.functional as F


def _project(q, k, v, w):
    if q is k and k is v:
        return F.linear(q, w).chunk(3, dim=-1)
    d = w.shape[1]
    if k is v:
        key, value = F.linear(k, w[d:]).chunk(2, dim=-1)
        return F.linear(q, w[:d]), key, value
    return F.linear(q, w[:d]), F.linear(k, w[d:2 * d]), F.linear(v, w[2 * d:])


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError(f"{num_heads} heads cannot share {d_model} features")
    Q, K, V = _project(q, k, v, in_proj_weight)
    # chunks of a fused projection are not contiguous, hence reshape
    Q = Q.reshape(*q.shape[:2], num_heads, -1).transpose(1, 2)
    K = K.reshape(*k.shape[:2], num_heads, -1).transpose(1, 2)
    V = V.reshape(*v.shape[:2], num_heads, -1).transpose(1, 2)
    scores = Q @ K.transpose(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), -math.inf)
    return F.linear((torch.softmax(scores, -1) @ V).transpose(1, 2).reshape(q.shape), out_proj_weight)
