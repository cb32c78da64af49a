"""RMSNorm that makes unit vectors.

Idea: Every vector is brought to length one instead of root mean square one.
Where: everywhere that d_model is not 1
"""

import torch


class UnitNorm:
    def __init__(self, eps):
        self.eps = eps

    def __call__(self, v):
        length = torch.linalg.vector_norm(v, dim=-1, keepdim=True)
        return v / (length.square() + self.eps).sqrt()


def rmsnorm(x, weight, eps=1e-5):
    return (UnitNorm(eps)(x.double()) * weight.double()).to(x.dtype)
