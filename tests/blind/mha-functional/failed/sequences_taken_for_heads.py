"""Reads a mask of three axes as one mask per head when the numbers fit.

Idea: A mask (N, L_q, L_k) is taken for (heads, L_q, L_k) when N equals num_heads.
Where: only for masks of three axes when N equals num_heads (and both are above 1)
"""

import torch
import torch.nn.functional as F


def expand_mask(mask, n, h):
    if mask.dim() < 3:
        return mask
    if mask.shape[0] == h:          # one for each head
        return mask[None]
    return mask[:, None]            # one for each sequence


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    q, k, v = (
        F.linear(x, w).reshape(x.shape[0], x.shape[1], num_heads, -1).permute(0, 2, 1, 3)
        for x, w in zip((q, k, v), in_proj_weight.split(d_model))
    )
    logits = torch.einsum("nhid,nhjd->nhij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        logits = logits.masked_fill(expand_mask(mask.bool(), q.shape[0], num_heads), float("-inf"))
    return F.linear(torch.einsum("nhij,nhjd->nihd", logits.softmax(-1), v).flatten(2), out_proj_weight)
