"""Multiplies by one plus the weight.

Idea: The weight is taken as a deviation from one, as Gemma does, and not as the factor itself.
Where: everywhere
"""

import torch


class GemmaStyleNorm:
    def __init__(self, weight, eps):
        self.gain = 1.0 + weight
        self.eps = eps

    def __call__(self, x):
        return x / torch.sqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.gain


def rmsnorm(x, weight, eps=1e-5):
    wide = torch.promote_types(x.dtype, torch.float32)
    return GemmaStyleNorm(weight.to(wide), eps)(x.to(wide)).to(x.dtype)
