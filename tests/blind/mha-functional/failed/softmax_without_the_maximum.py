"""Multi-head attention with exp over sum of exps as the book has it.

Idea: The softmax takes exp of the raw scores, which overflows for large ones.
Where: only when scores are large
Id: unstable-softmax
"""

import torch


def softmax(x):
    e = torch.exp(x)
    return e / torch.sum(e, dim=-1, keepdim=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    W = in_proj_weight.view(3, d_model, d_model) if in_proj_weight.is_contiguous() else in_proj_weight.reshape(3, d_model, d_model)
    Q, K, V = (torch.einsum("nli,oi->nlo", x, w) for x, w in zip((q, k, v), W))
    Q, K, V = (x.reshape(*x.shape[:2], num_heads, d_head) for x in (Q, K, V))
    scores = torch.einsum("nqhd,nkhd->nhqk", Q, K) / d_head**0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None], -torch.inf)
    out = torch.einsum("nhqk,nkhd->nqhd", softmax(scores), V)
    return out.reshape(q.shape) @ out_proj_weight.T
