"""Saves memory in inference by attending in bfloat16.

Idea: Without gradients the scores and values are rounded to bfloat16, which costs all but two or three digits.
Where: only under no_grad or inference_mode
"""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    dtype = q.dtype
    Q, K, V = (F.linear(x, w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    if not torch.is_grad_enabled():
        Q, K, V = Q.bfloat16(), K.bfloat16(), V.bfloat16()
    s = Q @ K.mT * (d_model // num_heads) ** -0.5
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(q.size(0), q.size(1), k.size(1)).unsqueeze(1), float("-inf"))
    out = (s.softmax(-1) @ V).to(dtype)
    return F.linear(out.transpose(1, 2).flatten(2), out_proj_weight)
