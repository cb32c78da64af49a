"""RMSNorm with a short cut for one feature.

Wrong: with a single feature "there is nothing to average", and x is only weighed.
Condition: d_model = 1.
Spec: "`d_model` and each leading axis may be 1"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    if x.shape[-1] == 1:
        return x * weight
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    h = h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
    return (h * weight.to(h.dtype)).to(x.dtype)
