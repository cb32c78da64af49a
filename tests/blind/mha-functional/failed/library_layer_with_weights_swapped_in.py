"""Runs nn.MultiheadAttention with the given weights in place of its own.

Idea: The whole layer of the library does the work.
Where: everywhere
Rule: no-library-attention
"""

import torch
from torch import nn
from torch.func import functional_call


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    layer = nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True, device="meta")
    weights = {"in_proj_weight": in_proj_weight, "out_proj.weight": out_proj_weight}
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).repeat_interleave(num_heads, dim=0)
    out, _ = functional_call(layer, weights, (q, k, v), dict(attn_mask=mask, need_weights=False))
    return out
