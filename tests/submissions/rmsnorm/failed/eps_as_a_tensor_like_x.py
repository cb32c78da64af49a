"""eps becomes a tensor of x's dtype: zero in float16 where it is 1e-8.
Diagnosis: half-precision-eps
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    eps = x.new_tensor(eps)
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return (wide / torch.sqrt(wide.square().mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
