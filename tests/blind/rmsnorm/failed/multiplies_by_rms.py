"""RMSNorm the wrong way round.

Idea: The vector is multiplied by its root mean square instead of divided.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    def rms(v):
        return torch.sqrt(torch.mean(v.square(), dim=-1, keepdim=True) + eps)

    v = x.double()
    return (v * rms(v) * weight.double()).to(x.dtype)
