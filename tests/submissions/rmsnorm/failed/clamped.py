"""eps as the smallest divisor.
Diagnosis: eps-as-floor
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    rms = h.pow(2).mean(-1, keepdim=True).sqrt().clamp_min(eps)
    return (h / rms * weight).to(x.dtype)
