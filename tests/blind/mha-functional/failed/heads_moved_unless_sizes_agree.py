"""Moves the heads only when they do not seem to be in place.

Idea: When the length equals num_heads the heads are believed to be in front already, and are not moved.
Where: only when L_q or L_k equals num_heads (and is above 1)
"""

import torch


def heads_first(x, num_heads):
    if x.shape[1] != num_heads:
        x = x.transpose(1, 2)
    assert x.shape[1] == num_heads
    return x


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads")
    wq, wk, wv = in_proj_weight.split(d_model)
    Q, K, V = (heads_first((x @ w.T).unflatten(-1, (num_heads, -1)), num_heads) for x, w in ((q, wq), (k, wk), (v, wv)))
    s = torch.einsum("nhid,nhjd->nhij", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), float("-inf"))
    return torch.einsum("nhij,nhjd->nihd", s.softmax(-1), V).flatten(2) @ out_proj_weight.T
