"""Forgets to divide the scores."""

import torch
from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    weights = rearrange(in_proj_weight, "(three out) inp -> three out inp", three=3)
    Q, K, V = (rearrange(x @ w.T, "n l (h d) -> n h l d", h=num_heads) for x, w in zip((q, k, v), weights))
    scores = Q @ rearrange(K, "n h k d -> n h d k")
    if mask is not None:
        blocked = mask != 0
        if blocked.ndim == 3:
            blocked = rearrange(blocked, "n q k -> n 1 q k")
        scores = scores.masked_fill(blocked, -torch.inf)
    merged = rearrange(scores.softmax(dim=-1) @ V, "n h q d -> n q (h d)")
    return merged @ out_proj_weight.T
