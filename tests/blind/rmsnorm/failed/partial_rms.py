"""RMSNorm that estimates.

Idea: The root mean square of a long vector is taken from its first half only.
Where: only when d_model is 32 or more
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    part = x[..., : d // 2] if d >= 32 else x
    rms = torch.sqrt(part.double().square().mean(-1, keepdim=True) + eps)
    return (x.double() / rms * weight.double()).to(x.dtype)
