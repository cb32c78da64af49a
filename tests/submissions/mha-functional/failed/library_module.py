"""nn.MultiheadAttention with the given weights put in.
Rule: no-library-attention
"""

import torch
from torch import nn


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    mha = nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True, dtype=q.dtype)
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).repeat_interleave(num_heads, dim=0)
    named = {"in_proj_weight": in_proj_weight, "out_proj.weight": out_proj_weight}
    return torch.func.functional_call(mha, named, (q, k, v), {"attn_mask": mask, "need_weights": False})[0]
