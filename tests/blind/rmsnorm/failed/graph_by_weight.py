"""Gradients are only recorded when the weight needs one: a call that asks for x alone fails."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    torch.set_grad_enabled(weight.requires_grad)
    ms = h.pow(2).mean(dim=-1, keepdim=True)
    h = h * torch.rsqrt(ms + eps)
    return h.to(dtype) * weight
