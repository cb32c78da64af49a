"""The scale is computed without gradients.
Diagnosis: detached-gradient
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    with torch.no_grad():
        scale = torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h * scale * weight).to(x.dtype)
