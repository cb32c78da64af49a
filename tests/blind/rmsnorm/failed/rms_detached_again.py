"""RMSNorm whose root mean square is a constant for the gradient.

Idea: The root mean square is detached: the gradient of x goes through the numerator only.
Where: only the gradient of x
Id: detached-gradient
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.double()
    with torch.no_grad():
        rms = ((wide * wide).mean(-1, keepdim=True) + eps).sqrt()
    return (wide / rms * weight.double()).to(x.dtype)
