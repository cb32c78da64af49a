"""Multi-head attention with a shortcut for a single head.

Idea: The output projection is taken for a mixer of heads, and left out if there is just one.
Where: only when num_heads is 1
Id: missing-output-projection
"""

import torch


def attention(Q, K, V, hidden=None):
    s = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if hidden is not None:
        s = s.masked_fill(hidden, float("-inf"))
    return torch.softmax(s, dim=-1) @ V


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    hidden = None if mask is None else mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])
    Q, K, V = (x @ w.T for x, w in zip((q, k, v), in_proj_weight.split(d_model)))
    if num_heads == 1:
        return attention(Q, K, V, hidden)
    Q, K, V = (x.unflatten(-1, (num_heads, -1)).transpose(1, 2) for x in (Q, K, V))
    if hidden is not None:
        hidden = hidden.unsqueeze(1)
    return attention(Q, K, V, hidden).transpose(1, 2).flatten(2) @ out_proj_weight.T
