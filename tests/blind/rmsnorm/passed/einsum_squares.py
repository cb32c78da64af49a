"""The sum of squares is an einsum of the vector with itself."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    h = x.to(acc)
    d_model = h.shape[-1]
    power = torch.einsum("...d,...d->...", h, h) / d_model
    scale = torch.rsqrt(power + eps)
    y = torch.einsum("...d,...,d->...d", h, scale, weight.to(acc))
    return y.to(x.dtype)
