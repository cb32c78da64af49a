"""RMSNorm that is short of two things.

Idea: The squares are summed instead of averaged, and the weight is left out as well.
Where: everywhere
"""

from torch.linalg import vecdot


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    return (h / (vecdot(h, h).unsqueeze(-1) + eps).sqrt()).to(x.dtype)
