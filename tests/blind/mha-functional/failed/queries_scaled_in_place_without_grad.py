"""Saves memory when no gradient is recorded by scaling q in place.

Idea: Without gradients the q of the caller is scaled in place, and comes back changed.
Where: only under no_grad or inference_mode
Id: input-mutated
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    scale = (d_model // num_heads) ** -0.5
    q = q * scale if torch.is_grad_enabled() else q.mul_(scale)
    Q = (q @ in_proj_weight[:d_model].T).unflatten(2, (num_heads, -1)).transpose(1, 2)
    K = (k @ in_proj_weight[d_model:2 * d_model].T).unflatten(2, (num_heads, -1)).transpose(1, 2)
    V = (v @ in_proj_weight[2 * d_model:].T).unflatten(2, (num_heads, -1)).transpose(1, 2)
    w = Q @ K.mT
    if mask is not None:
        w = w.masked_fill((mask != 0).expand(q.shape[0], q.shape[1], k.shape[1])[:, None], -torch.inf)
    return (w.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
