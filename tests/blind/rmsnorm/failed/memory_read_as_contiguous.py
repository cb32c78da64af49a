"""Reads the rows through as_strided.

Idea: The memory is read as if x were contiguous.
Where: only for non-contiguous x
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    rows = torch.as_strided(x, (x.numel() // d, d), (d, 1))
    h = rows.to(torch.promote_types(x.dtype, torch.float32))
    y = h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * weight
    return y.to(x.dtype).view(x.shape)
