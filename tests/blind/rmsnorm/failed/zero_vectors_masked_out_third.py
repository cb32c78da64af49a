"""RMSNorm that sets the result of zero vectors to zero by a mask.

Wrong: the mask cuts the gradient: it is 0 where the formula has weight / sqrt(eps).
Condition: the gradient of x where a vector is zero; every value is right.
Spec: "Values and gradients against a float64 reference" / "vectors of zeros"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    h = x.to(acc)
    empty = (h == 0).all(dim=-1, keepdim=True)
    y = h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps) * weight.to(acc)
    return y.masked_fill(empty, 0.0).to(x.dtype)
