"""Adds up the squares one by one in the dtype of x.

Idea: The running sum is kept in bfloat16, where it stops growing for long vectors.
Where: only for bfloat16 with long vectors
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    h = x.float() if x.dtype == torch.float16 else x
    if x.dtype != torch.bfloat16:
        total = (h * h).sum(-1)
    else:
        total = torch.zeros_like(h[..., 0])
        for j in range(d):
            total = total + h[..., j] * h[..., j]
        h, total = h.float(), total.float()
    return (h / torch.sqrt(total.unsqueeze(-1) / d + eps) * weight).to(x.dtype)
