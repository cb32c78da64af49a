"""Attention with einops.rearrange at every step."""

import math

import torch
from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads has to divide d_model")
    wq, wk, wv = rearrange(in_proj_weight, "(three out) inp -> three inp out", three=3)
    heads = dict(h=num_heads)
    qh = rearrange(q @ wq, "n l (h d) -> n h l d", **heads)
    kh = rearrange(k @ wk, "n s (h d) -> n h d s", **heads)
    vh = rearrange(v @ wv, "n s (h d) -> n h s d", **heads)
    logits = (qh @ kh) / math.sqrt(d_model // num_heads)
    if mask is not None:
        full = torch.broadcast_to(mask, (q.shape[0], q.shape[1], k.shape[1]))
        logits = logits.masked_fill(rearrange(full, "n l s -> n 1 l s") == 1, -torch.inf)
    ctx = logits.softmax(dim=-1) @ vh
    return rearrange(ctx, "n h l d -> n l (h d)") @ out_proj_weight.T
