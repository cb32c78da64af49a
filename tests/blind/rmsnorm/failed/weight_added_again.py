"""RMSNorm with an added weight.

Idea: The weight is added like a bias instead of multiplied.
Where: everywhere
"""

import torch
from einops import reduce


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    ms = reduce(h**2, "... d -> ... 1", "mean")
    return (h / (ms + eps) ** 0.5 + weight.double()).to(x.dtype)
