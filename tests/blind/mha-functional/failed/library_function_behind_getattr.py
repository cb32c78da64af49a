"""Looks the functional form of the library up by its name.

Idea: F.multi_head_attention_forward does the work.
Where: everywhere
Rule: no-library-attention
"""

import torch
import torch.nn.functional as F

forward = getattr(F, "multi_head_attention" + "_forward")


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).repeat_interleave(num_heads, dim=0)
    out, _ = forward(
        q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1), d_model, num_heads,
        in_proj_weight, None, None, None, False, 0.0, out_proj_weight, None,
        training=False, need_weights=False, attn_mask=mask,
    )
    return out.transpose(0, 1)
