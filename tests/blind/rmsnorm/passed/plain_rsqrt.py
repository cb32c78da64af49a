"""RMSNorm as in LLaMA: upcast, rsqrt, cast back, weigh."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return weight * h.to(x.dtype)
