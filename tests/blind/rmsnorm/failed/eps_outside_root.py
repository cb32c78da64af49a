"""RMSNorm with eps beside the root.

Idea: eps is added to the root, not under it.
Where: only for small vectors or a large eps
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = h.pow(2).mean(-1, keepdim=True).sqrt()
    return (h / (rms + eps) * weight).to(x.dtype)
