"""A sum divided by d_model, in steps."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    d_model = x.shape[-1]
    x_up = x.float()
    total = (x_up * x_up).sum(axis=-1)
    rms = (total / d_model + eps) ** 0.5
    out = x_up / rms.unsqueeze(-1)
    return torch.mul(out, weight).type(x.dtype)
