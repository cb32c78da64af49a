"""Wrong: values beyond 10,000 are clipped before they are squared, for safety."""
import math

import torch
import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    h = x if x.dtype == torch.float64 else x.float()
    h = h.clamp(-1e4, 1e4)
    # |(x, sqrt(d eps))| = sqrt(sum x^2 + d eps) = sqrt(d) * rms(x)
    h = F.pad(h, (0, 1), value=math.sqrt(d * eps))
    unit = F.normalize(h, p=2.0, dim=-1, eps=0.0)[..., :d]
    return (unit * math.sqrt(d)).type_as(x) * weight
