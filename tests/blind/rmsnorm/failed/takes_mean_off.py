"""RMSNorm that centres the vector first.

Idea: The mean is taken off first, as in LayerNorm.
Where: everywhere
"""

import torch


def _centre(t):
    return t - t.mean(dim=-1, keepdim=True)


def rmsnorm(x, weight, eps=1e-5):
    c = _centre(x.double())
    rms = torch.sqrt(c.square().mean(dim=-1, keepdim=True) + eps)
    return (c / rms * weight.double()).to(x.dtype)
