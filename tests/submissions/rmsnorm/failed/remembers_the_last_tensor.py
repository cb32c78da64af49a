"""The scale of the last x is kept, and used again when the same tensor comes, whatever is in it by then.
Diagnosis: stale-cache
"""

import torch

kept = [None, None]


def rmsnorm(x, weight, eps=1e-5):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    if kept[0] is not x or x.requires_grad:
        kept[:] = x, torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)
    return (wide * kept[1] * weight).to(x.dtype)
