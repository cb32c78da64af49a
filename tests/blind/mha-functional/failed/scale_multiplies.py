"""Attention as one chain of F.linear and matmul.

Idea: The scores are multiplied by the square root of d_head where they should be divided by it.
Where: everywhere (with d_head above 1)
"""

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    scale = math.sqrt(d_model // num_heads)
    q = F.linear(q, in_proj_weight[:d_model]).unflatten(2, (num_heads, -1)).transpose(1, 2)
    k = F.linear(k, in_proj_weight[d_model:2 * d_model]).unflatten(2, (num_heads, -1)).transpose(1, 2)
    v = F.linear(v, in_proj_weight[2 * d_model:]).unflatten(2, (num_heads, -1)).transpose(1, 2)
    attn = (q * scale) @ k.transpose(-2, -1)
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        attn = attn.masked_fill(mask != 0, -torch.inf)
    return F.linear((attn.softmax(-1) @ v).transpose(1, 2).flatten(2), out_proj_weight)
