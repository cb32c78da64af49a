"""Stops after the merge.

Idea: The merged heads are returned without the output projection.
Where: everywhere
Id: missing-output-projection
"""

import torch


def split_heads(x, h):
    n, l, d = x.shape
    return x.view(n, l, h, d // h).transpose(1, 2)


def merge_heads(x):
    n, h, l, e = x.shape
    return x.transpose(1, 2).contiguous().view(n, l, h * e)


def scaled_dot(q, k, v, hidden=None):
    s = q @ k.transpose(-2, -1) / (k.shape[-1] ** 0.5)
    if hidden is not None:
        s = s.masked_fill(hidden, float("-inf"))
    return torch.softmax(s, dim=-1) @ v


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    wq, wk, wv = in_proj_weight.chunk(3)
    hidden = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1) if mask is not None else None
    y = scaled_dot(split_heads(q @ wq.T, num_heads), split_heads(k @ wk.T, num_heads), split_heads(v @ wv.T, num_heads), hidden)
    return merge_heads(y)
