"""Attention with scores kept as (batch, query, key, head).

Idea: The softmax runs over the last axis, which here holds the heads and not the keys.
Where: everywhere
Id: softmax-dim
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError
    e = d_model // num_heads
    Q = (q @ in_proj_weight[:d_model].mT).unflatten(-1, (num_heads, e))
    K = (k @ in_proj_weight[d_model:-d_model].mT).unflatten(-1, (num_heads, e))
    V = (v @ in_proj_weight[-d_model:].mT).unflatten(-1, (num_heads, e))
    s = torch.einsum("nahe,nbhe->nabh", Q, K) * e ** -0.5
    if mask is not None:
        s = s.masked_fill(mask.bool().unsqueeze(-1), torch.finfo(s.dtype).min)
    w = torch.softmax(s, dim=-1)
    return torch.einsum("nabh,nbhe->nahe", w, V).flatten(-2) @ out_proj_weight.mT
