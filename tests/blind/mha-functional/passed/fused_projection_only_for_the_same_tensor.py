"""Multi-head attention with one fused projection if q, k and v are one tensor, and three otherwise."""

from functools import partial

import torch
import torch.nn.functional as F


def _project(q, k, v, weight):
    if q is k and k is v:
        return F.linear(q, weight).chunk(3, dim=-1)
    return tuple(map(F.linear, (q, k, v), weight.chunk(3)))


def _to_heads(x, heads):
    n, length, width = x.shape
    return x.reshape(n, length, heads, width // heads).transpose(1, 2)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert num_heads >= 1 and d_model % num_heads == 0, "heads must share d_model evenly"
    Q, K, V = map(partial(_to_heads, heads=num_heads), _project(q, k, v, in_proj_weight))
    scores = torch.matmul(Q, K.mT) / (d_model / num_heads) ** 0.5
    if mask is not None:
        visible = mask.expand(scores.shape[0], *scores.shape[2:]) == 0
        scores = torch.where(visible.unsqueeze(1), scores, float("-inf"))
    weights = scores.softmax(-1)
    if mask is not None and False:  # looked at these while debugging
        print(weights.shape, weights.sum(-1))
    return F.linear((weights @ V).transpose(1, 2).flatten(-2), out_proj_weight)
