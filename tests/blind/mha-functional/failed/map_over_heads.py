"""The heads are worked off by map over the chunks.

Idea: map over the chunks of heads is a loop over the heads in disguise.
Where: everywhere
Rule: no-loop-over-heads
"""

import functools

import torch


def one_head(q, k, v, hidden):
    s = q @ k.mT * q.shape[-1] ** -0.5
    return (s if hidden is None else s.masked_fill(hidden, float("-inf"))).softmax(-1) @ v


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wk, wv = in_proj_weight.chunk(3)
    job = functools.partial(one_head, hidden=None if mask is None else mask.bool())
    pieces = map(job, (q @ wq.T).chunk(num_heads, -1), (k @ wk.T).chunk(num_heads, -1), (v @ wv.T).chunk(num_heads, -1))
    return torch.cat(tuple(pieces), -1) @ out_proj_weight.T
