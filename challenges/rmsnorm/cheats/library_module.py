"""The library's module, with the weight put into it."""

import torch
from torch import nn


def rmsnorm(x, weight, eps=1e-5):
    norm = nn.RMSNorm(x.shape[-1], eps=eps)
    return torch.func.functional_call(norm, {"weight": weight.float()}, (x.float(),)).to(x.dtype)
