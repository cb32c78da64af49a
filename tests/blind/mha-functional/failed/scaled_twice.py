"""A prescaled query meets scores that are scaled too.

Idea: The scale is applied twice, once to the queries and once to the scores.
Where: everywhere (with d_head above 1)
"""

import torch


def attention(query, key, value, hidden=None):
    scores = torch.matmul(query, key.transpose(-1, -2)) / query.size(-1) ** 0.5
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    return torch.matmul(scores.softmax(-1), value)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model, num_heads")
    scaling = float(d_model // num_heads) ** -0.5
    q, k, v = (torch.matmul(x, w.T) for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    q = q * scaling
    q, k, v = (x.unflatten(-1, (num_heads, -1)).transpose(1, 2) for x in (q, k, v))
    if mask is not None:
        mask = mask.to(torch.bool).expand(q.size(0), q.size(2), k.size(2)).unsqueeze(1)
    return torch.matmul(attention(q, k, v, mask).transpose(1, 2).flatten(2), out_proj_weight.T)
