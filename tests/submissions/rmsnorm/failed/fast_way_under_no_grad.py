"""Where nothing is trained, eps is left out.
Diagnosis: eps-missing
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean = wide.pow(2).mean(-1, keepdim=True)
    scale = torch.rsqrt(mean + eps if torch.is_grad_enabled() else mean.clamp(min=1e-30))
    return (wide * scale * weight).to(x.dtype)
