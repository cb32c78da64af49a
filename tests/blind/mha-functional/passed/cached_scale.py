"""Keeps the scale of each head size in a cache."""

import functools

import torch


@functools.lru_cache(maxsize=None)
def scale(d_model: int, num_heads: int) -> float:
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    return (d_model // num_heads) ** -0.5


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    c = scale(d_model, num_heads)
    bsz, tgt, src = q.size(0), q.size(1), k.size(1)
    w = in_proj_weight
    q = torch.nn.functional.linear(q * c, w[:d_model])
    k = torch.nn.functional.linear(k, w[d_model:d_model * 2])
    v = torch.nn.functional.linear(v, w[d_model * 2:])
    q, k, v = [t.reshape(bsz, t.size(1), num_heads, -1).transpose(1, 2) for t in (q, k, v)]
    logits = q.matmul(k.transpose(2, 3))
    if mask is not None:
        neg = torch.zeros(bsz, 1, tgt, src, dtype=logits.dtype, device=logits.device)
        neg[mask.bool().expand(bsz, tgt, src).unsqueeze(1)] = float("-inf")
        logits = logits + neg
    return torch.nn.functional.linear(logits.softmax(3).matmul(v).transpose(1, 2).flatten(2, 3), out_proj_weight)
