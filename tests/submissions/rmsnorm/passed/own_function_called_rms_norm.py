"""A helper of one's own may have the library's name."""

import torch


def rms_norm(x, eps):
    return x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()


def rmsnorm(x, weight, eps=1e-5):
    return (rms_norm(x.float(), eps) * weight).to(x.dtype)
