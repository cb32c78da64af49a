"""Multi-head attention that flattens batch and tokens with view before each projection.

Idea: view is used on the caller's tensors, as if they were always contiguous.
Where: only when q, k or v is not contiguous
"""

import torch


def project(x, w, heads):
    n, length, d = x.shape
    y = torch.mm(x.view(n * length, d), w.t())
    return y.view(n, length, heads, d // heads).transpose(1, 2)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("not divisible")
    w = in_proj_weight.chunk(3)
    Q, K, V = project(q, w[0], num_heads), project(k, w[1], num_heads), project(v, w[2], num_heads)
    scores = Q @ K.transpose(-1, -2) / (d_model // num_heads) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(len(q), q.shape[1], k.shape[1])[:, None], -torch.inf)
    y = (scores.softmax(-1) @ V).transpose(1, 2).flatten(2)
    return y @ out_proj_weight.t()
