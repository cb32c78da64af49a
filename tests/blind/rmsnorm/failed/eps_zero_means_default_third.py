"""RMSNorm with a fallback for a missing eps.

Wrong: `eps or 1e-5` replaces an eps of 0 by the default.
Condition: eps = 0 and small vectors.
Spec: "is the number that the caller gives: a float or an int, and may be 0"
"""

import torch


def rmsnorm(x, weight, eps=None):
    eps = eps or 1e-5
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    h = h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
    return (h * weight.to(h.dtype)).to(x.dtype)
