"""Puts eps under the root by appending one more feature, sqrt(d * eps), before F.normalize."""

import math

import torch
import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    wide = x.float()
    # ||(x, sqrt(d*eps))||^2 = sum(x^2) + d*eps, which is d * rms^2
    extra = torch.full_like(wide[..., :1], math.sqrt(d * eps))
    unit = F.normalize(torch.cat([wide, extra], dim=-1), dim=-1, eps=0.0)
    return (unit[..., :d] * math.sqrt(d) * weight).to(x.dtype)
