"""As Gemma does it.
Diagnosis: weight-plus-one
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h * (1.0 + weight.float())).type_as(x)
