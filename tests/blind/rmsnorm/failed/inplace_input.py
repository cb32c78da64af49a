"""Divides x in place when it is already float32: the caller's tensor changes."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    y = x.detach() if not x.requires_grad else x
    y = y.float()
    r = (y.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    if torch.is_grad_enabled() and y.requires_grad:
        y = y / r
    else:
        y /= r
    return y.to(x.dtype) * weight
