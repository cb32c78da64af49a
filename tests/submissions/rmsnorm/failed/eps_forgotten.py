"""eps is taken and not used.
Diagnosis: eps-missing
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.float32)
    rms = h.square().mean(dim=-1, keepdim=True).sqrt()
    return (weight * h / rms).to(x.dtype)
