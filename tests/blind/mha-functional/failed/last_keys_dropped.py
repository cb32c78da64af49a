"""Goes through the keys in whole blocks.

Idea: Only whole blocks of 32 keys are read, so the rest of a long sequence is dropped.
Where: only when L_k is above 32 and not a multiple of 32
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    n, lq, lk = q.shape[0], q.shape[1], k.shape[1]
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = ((x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), (wq, wk, wv)))
    block = min(32, lk)
    parts = []
    for b in range(lk // block):
        parts.append(Q @ K[:, :, b * block:(b + 1) * block].mT / math.sqrt(Q.size(-1)))
    scores = torch.cat(parts, dim=-1)
    seen = scores.size(-1)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(n, lq, lk)[:, None, :, :seen], torch.finfo(scores.dtype).min)
    return (scores.softmax(-1) @ V[:, :, :seen]).transpose(1, 2).flatten(2) @ out_proj_weight.T
