"""Takes the mean off, and detaches the scale.

Idea: The mean is subtracted, and the scale is a constant for the gradient.
Where: everywhere
Id: detached-gradient
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    h = h - h.mean(dim=-1, keepdim=True)
    scale = torch.rsqrt(h.square().mean(-1, keepdim=True) + eps).detach()
    return (h * scale * weight).to(x.dtype)
