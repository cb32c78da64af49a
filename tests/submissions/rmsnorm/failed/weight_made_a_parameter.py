"""A new parameter takes the weight's numbers and not its gradient.
Diagnosis: detached-gradient
"""

import torch
from torch import nn


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    gain = nn.Parameter(weight.detach().clone())
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * gain).to(x.dtype)
