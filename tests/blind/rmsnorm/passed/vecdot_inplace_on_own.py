"""RMSNorm with vecdot; works in place, but on its own numbers only."""

import torch
from torch.linalg import vecdot


def rmsnorm(x, weight, eps=1e-5, *, verbose=False):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = vecdot(wide, wide, dim=-1)
    ms = ms / wide.shape[-1]
    ms += eps
    if verbose:
        print("rms", ms.sqrt())
    y = wide * ms.rsqrt().unsqueeze(-1)
    y = y * weight
    return y.to(x.dtype)
