"""The library's function."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    return torch.nn.functional.rms_norm(x.float(), (x.shape[-1],), weight.float(), eps).to(x.dtype)
