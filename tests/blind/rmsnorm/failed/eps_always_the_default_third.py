"""RMSNorm with a module constant for eps.

Wrong: the caller's eps is ignored, 1e-5 is used in every call.
Condition: eps other than 1e-5.
Spec: "is the number that the caller gives"
"""

import torch

EPS = 1e-5


def rmsnorm(x, weight, eps=EPS):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = h.square().mean(dim=-1, keepdim=True)
    return (h / torch.sqrt(ms + EPS) * weight.to(h.dtype)).to(x.dtype)
