"""The mean by einx."""

import einx
import torch


def rmsnorm(x, weight, eps=1e-5):
    x32 = x.to(torch.float32)
    mean = einx.mean("... [d]", x32 * x32, keepdims=True)
    return einx.multiply("... d, d", x32 / (mean + eps).sqrt(), weight).to(x.dtype)
