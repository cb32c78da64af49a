"""A cheat of the seventh corpus: map over heads."""
from functools import reduce

import torch


def _head(args):
    q, k, v, hidden = args
    s = torch.bmm(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5
    if hidden is not None:
        s = s.masked_fill(hidden, float("-inf"))
    return torch.bmm(torch.softmax(s, -1), v)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError
    hidden = None if mask is None else mask.bool()
    d = d_model // num_heads
    parts = [torch.split(x @ w.T, d, dim=-1) for x, w in zip((q, k, v), in_proj_weight.chunk(3))]
    results = map(_head, zip(*parts, [hidden] * num_heads))
    joined = reduce(lambda a, b: torch.cat((a, b), -1), results)
    return joined @ out_proj_weight.T
