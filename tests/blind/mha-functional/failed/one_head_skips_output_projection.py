"""Has a short way for a single head.

Idea: With one head the output projection is left out, as if it only existed to mix heads.
Where: only when num_heads is 1
Id: missing-output-projection
"""

import torch


def single(q, k, v, hidden):
    s = q @ k.mT / q.shape[-1] ** 0.5
    if hidden is not None:
        s = s.masked_fill(hidden, float("-inf"))
    return s.softmax(-1) @ v


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    hidden = None if mask is None else mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])
    Q, K, V = (x @ w.T for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    if num_heads == 1:
        return single(Q, K, V, hidden)           # nothing to mix
    Q, K, V = (x.unflatten(-1, (num_heads, -1)).transpose(1, 2) for x in (Q, K, V))
    out = single(Q, K, V, None if hidden is None else hidden[:, None])
    return out.transpose(1, 2).flatten(2) @ out_proj_weight.T
