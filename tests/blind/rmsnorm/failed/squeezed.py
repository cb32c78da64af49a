"""RMSNorm that tidies the shape.

Idea: Axes of size one are squeezed away, so the result loses them.
Where: only when x has an axis of size one
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    y = h * torch.rsqrt((h @ h.unsqueeze(-1)).squeeze(-1) / h.shape[-1] + eps) if h.dim() == 1 else h * torch.rsqrt(
        h.square().mean(-1, keepdim=True) + eps
    )
    return (y * weight.double()).squeeze().to(x.dtype)
