"""einx projects and splits in one go."""

import math

import einx
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads does not divide d_model")
    wq, wk, wv = einx.id("(t h e) d -> t h e d", in_proj_weight, t=3, h=num_heads)
    qs = einx.dot("n q d, h e d -> n h q e", q, wq)
    ks = einx.dot("n k d, h e d -> n h k e", k, wk)
    vs = einx.dot("n k d, h e d -> n h k e", v, wv)
    scores = einx.dot("n h q e, n h k e -> n h q k", qs, ks) / math.sqrt(d_model // num_heads)
    if mask is not None:
        full = mask.bool().broadcast_to(q.shape[0], q.shape[1], k.shape[1])
        scores = einx.where("n q k, , n h q k -> n h q k", full, torch.tensor(-math.inf, dtype=q.dtype), scores)
    attention = einx.softmax("n h q [k]", scores)
    context = einx.dot("n h q k, n h k e -> n q (h e)", attention, vs)
    return einx.dot("n q i, o i -> n q o", context, out_proj_weight)
