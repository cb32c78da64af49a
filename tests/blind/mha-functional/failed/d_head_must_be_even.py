"""Multi-head attention that checks its sizes thoroughly.

Idea: Heads of odd width are refused although the text allows any width.
Where: only when d_head is odd
"""

import torch


def check(num_heads, d_model):
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    if (d_model // num_heads) % 2:
        raise ValueError("the width of a head must be even")


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    check(num_heads, d_model)
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = (t.unflatten(-1, (num_heads, -1)).transpose(1, 2) for t in (q @ wq.T, k @ wk.T, v @ wv.T))
    logits = (Q @ K.mT).div((d_model // num_heads) ** 0.5)
    if mask is not None:
        logits = logits.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None], -torch.inf)
    return (logits.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
