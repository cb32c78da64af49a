"""Output and root mean square."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    rms = torch.sqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h / rms * weight).to(x.dtype), rms
