"""RMSNorm written as the formula reads, with the upcast only where it is needed."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    work = x if x.dtype in (torch.float32, torch.float64) else x.float()
    rms = torch.sqrt((work ** 2).mean(dim=-1, keepdim=True) + eps)
    return (work / rms * weight).to(x.dtype)
