"""RMSNorm with the statistics of each feature.

Wrong: the mean square is taken over the first axis, one for each feature.
Condition: inputs with two or more axes.
Spec: "One root mean square for each vector, not for each batch, and not for each feature."
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = torch.mean(h**2, dim=0, keepdim=True)
    return (h * torch.rsqrt(ms + eps) * weight.to(h.dtype)).to(x.dtype)
