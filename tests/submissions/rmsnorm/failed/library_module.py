"""The library's module.
Rule: no-library-norm
"""

import torch
from torch import nn


def rmsnorm(x, weight, eps=1e-5):
    norm = nn.RMSNorm(x.shape[-1], eps=eps)
    norm.weight = None
    return (norm(x.float()) * weight).to(x.dtype)
