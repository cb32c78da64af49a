"""Clamps the root mean square from below by eps.

Idea: eps is a floor for the root mean square and not added under the root.
Where: only when the vectors are small, or eps is large
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = torch.promote_types(x.dtype, torch.float32)
    rms = x.to(wide).square().mean(dim=-1, keepdim=True).sqrt().clamp(min=eps)
    return ((x.to(wide) / rms) * weight.to(wide)).to(x.dtype)
