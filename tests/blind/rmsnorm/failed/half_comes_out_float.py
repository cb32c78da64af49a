"""Never casts back: float16 goes in and float32 comes out."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
    result = x / rms * weight
    return result
