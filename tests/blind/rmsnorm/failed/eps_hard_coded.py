"""RMSNorm with an eps of its own.

Idea: The caller's eps is ignored; 1e-5 is written into the code.
Where: only when the caller gives another eps (and vectors are small, or eps large)
"""

import torch

EPS = 1e-5


def rmsnorm(x, weight, eps=1e-5):
    kind = torch.promote_types(x.dtype, torch.float32)
    h = x.to(kind)
    return (h * torch.rsqrt((h * h).mean(-1, keepdim=True) + EPS) * weight.to(kind)).to(x.dtype)
