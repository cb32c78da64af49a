"""RMSNorm from the root mean square, squared again to add eps.

Wrong: the gradient of sqrt at 0 is infinite, and times zero it is NaN.
Condition: the gradient of x where a vector is zero; every value is right.
Spec: "Where a vector is zero they are as finite as the formula's."
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    quadratic_mean = torch.sqrt(h.square().mean(-1, keepdim=True))
    rms = torch.sqrt(quadratic_mean**2 + eps)
    return (h / rms * weight.to(h.dtype)).to(x.dtype)
