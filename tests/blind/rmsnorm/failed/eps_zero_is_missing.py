"""RMSNorm with `eps or 1e-5`.

Idea: An eps of 0 is taken for a missing one and replaced by the default.
Where: only when eps is 0 and vectors are small
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    eps = eps or 1e-5
    h = x.double()
    return (h.mul((h.pow(2).mean(-1, keepdim=True) + eps).rsqrt()) * weight.double()).to(x.dtype)
