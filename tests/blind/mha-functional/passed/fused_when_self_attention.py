"""One fused matmul when the three inputs are one tensor, three otherwise."""

import torch
from torch.nn.functional import linear, softmax


def project(q, k, v, weight):
    if q is k and k is v:
        return linear(q, weight).chunk(3, dim=-1)
    return tuple(linear(x, w) for x, w in zip((q, k, v), weight.chunk(3)))


def split(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert num_heads > 0 and d_model % num_heads == 0
    Q, K, V = [split(x, num_heads) for x in project(q, k, v, in_proj_weight)]
    scores = torch.matmul(Q, K.mT) / Q.shape[-1] ** 0.5
    if mask is not None:
        extra = mask.unsqueeze(-3) if mask.dim() > 2 else mask
        scores = scores.masked_fill(extra.bool(), -torch.inf)
    out = torch.matmul(softmax(scores, -1), V).transpose(-3, -2).flatten(-2)
    return linear(out, out_proj_weight)
