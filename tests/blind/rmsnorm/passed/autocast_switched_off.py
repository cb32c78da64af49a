"""Switches autocast off around the work, and passes the casting to type_as."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    with torch.autocast(device_type=x.device.type, enabled=False):
        h = x if x.dtype == torch.float64 else x.float()
        ms = h.square().mean(-1, keepdim=True)
        y = torch.where(ms + eps > 0, h * torch.rsqrt(ms + eps), h)
        return (y * weight.type_as(y)).type_as(x)
