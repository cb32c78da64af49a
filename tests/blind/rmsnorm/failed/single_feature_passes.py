"""RMSNorm that leaves a single feature alone.

Idea: A vector of one feature is not normalised, as if there were nothing to do.
Where: only when d_model is 1
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    if x.shape[-1] == 1:
        return x * weight
    kind = torch.promote_types(x.dtype, torch.float32)
    v = x.to(kind)
    return (v * (v.pow(2).mean(-1, keepdim=True) + eps).rsqrt() * weight.to(kind)).to(x.dtype)
