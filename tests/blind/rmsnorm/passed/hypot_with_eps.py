"""The root of the sum is a hypot of the plain root mean square and the root of eps."""

import math

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    # an extra coordinate of sqrt(eps * d): its square, divided by d, is eps
    d = h.shape[-1]
    extra = torch.full_like(h[..., :1], math.sqrt(eps * d))
    rms = torch.linalg.vector_norm(torch.cat([h, extra], dim=-1), dim=-1, keepdim=True) / math.sqrt(d)
    return (h / rms * weight.double()).to(x.dtype)
