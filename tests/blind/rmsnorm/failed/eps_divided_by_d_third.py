"""RMSNorm from the sum of the squares.

Wrong: eps is added to the sum, so that it is divided by d_model too.
Condition: d_model above 1, with small vectors or a large eps.
Spec: "sqrt( 1/d_model * sum x_j^2 + eps )"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    total = torch.sum(h * h, dim=-1, keepdim=True)
    rms = torch.sqrt((total + eps) / h.size(-1))
    return (h / rms * weight.to(h.dtype)).to(x.dtype)
