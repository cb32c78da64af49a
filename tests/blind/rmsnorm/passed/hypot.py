import math

import torch


def rmsnorm(x, weight, eps=1e-5):
    """sqrt(mean + eps) is the hypotenuse of the root mean square and the root of eps."""
    wide = x.to(torch.float64)
    rms = torch.linalg.vector_norm(wide, dim=-1, keepdim=True) / math.sqrt(x.shape[-1])
    leg = torch.full_like(rms, math.sqrt(eps))
    return (wide / torch.hypot(rms, leg) * weight.to(torch.float64)).to(x.dtype)
