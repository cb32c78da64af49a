"""RMSNorm with a corrected mean.

Wrong: the sum of the squares is divided by d_model - 1 (by 1 where d_model is 1).
Condition: d_model above 1.
Spec: "1/d_model * sum x_j^2"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    n = max(h.shape[-1] - 1, 1)
    ms = h.square().sum(-1, keepdim=True) / n
    return (h * (ms + eps).rsqrt() * weight.to(h.dtype)).to(x.dtype)
