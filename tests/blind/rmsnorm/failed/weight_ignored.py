"""RMSNorm without its weight.

Idea: The learned weight is never used.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    return torch.einsum("...d,...->...d", h, (torch.einsum("...d,...d->...", h, h) / h.shape[-1] + eps).rsqrt()).to(x.dtype)
